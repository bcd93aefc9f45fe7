// SPDX-License-Identifier: Apache-2.0
// hypot (OpenCL C 6.15.2). libdevice's, within an ulp, is infinite where that ulp crosses the end of the range, which counts as
// a wrong result (7.4): there it is computed again with more digits.
#include "library.h"

float __nv_hypotf(float, float);
double __nv_hypot(double, double);

// Keeps what follows in a branch of its own: the square roots would otherwise be computed always, and then chosen from.
#define RARELY() __asm__ volatile("")

float OVERLOAD hypot(float x, float y) {
  const float result = __nv_hypotf(x, y);
  if (!isinf(result)) return result;
  RARELY();
  if (isinf(x) || isinf(y)) return result;
  return (float)sqrt(fma((double)x, (double)x, (double)y * (double)y));
}

double OVERLOAD hypot(double x, double y) {
  const double result = __nv_hypot(x, y);
  if (!isinf(result)) return result;
  RARELY();
  if (isinf(x) || isinf(y)) return result;
  const double scale = 0x1p-600;
  x *= scale, y *= scale;
  // One step of Newton's method from the root, with the error of each square.
  const double xx = x * x, yy = y * y, root = sqrt(xx + yy), square = root * root;
  const double errors = fma(x, x, -xx) + fma(y, y, -yy) - fma(root, root, -square);
  const double greater = fmax(xx, yy), less = fmin(xx, yy);
  return (root + (((greater - square) + less) + errors) / (2 * root)) / scale;
}

half OVERLOAD hypot(half x, half y) { return (half)__nv_hypotf((float)x, (float)y); }

VECTORS_2(float, hypot, float, float)
VECTORS_2(double, hypot, double, double)
VECTORS_2(half, hypot, half, half)
