// SPDX-License-Identifier: Apache-2.0
// Steps over grids and tables.

// A step of the temperatures of a chip, as in Rodinia's hotspot. What lies outside is as warm as the edge.
KERNEL hotspot(GLOBAL const float* heat, GLOBAL const float* power, GLOBAL float* next, uint width,
               uint height, float step, float across, float down, float out) {
  const uint x = GLOBAL_X, y = GLOBAL_Y;
  const uint left = x == 0 ? x : x - 1, right = x == width - 1 ? x : x + 1;
  const uint above = y == 0 ? y : y - 1, below = y == height - 1 ? y : y + 1;
  const float here = heat[y * width + x];
  next[y * width + x] =
      here +
      step *
          (power[y * width + x] + (heat[above * width + x] + heat[below * width + x] - 2.0f * here) * down +
           (heat[y * width + left] + heat[y * width + right] - 2.0f * here) * across + (80.0f - here) * out);
}

// A step of a lattice Boltzmann model of nine velocities on a torus whose sides are powers of two.
KERNEL lattice_boltzmann(GLOBAL const float* from, GLOBAL float* to, uint width, uint height,
                         float relaxation) {
  const uint x = GLOBAL_X, y = GLOBAL_Y, plane = width * height, at = y * width + x;
  const uint left = (x - 1) & (width - 1), right = (x + 1) & (width - 1);
  const uint above = ((y - 1) & (height - 1)) * width, below = ((y + 1) & (height - 1)) * width,
             row = y * width;
  float f[9];
  f[0] = from[at];
  f[1] = from[plane + row + left];
  f[2] = from[2 * plane + above + x];
  f[3] = from[3 * plane + row + right];
  f[4] = from[4 * plane + below + x];
  f[5] = from[5 * plane + above + left];
  f[6] = from[6 * plane + above + right];
  f[7] = from[7 * plane + below + right];
  f[8] = from[8 * plane + below + left];
  float density = 0;
  for (uint i = 0; i < 9; ++i) density += f[i];
  const float u = (f[1] - f[3] + f[5] - f[6] - f[7] + f[8]) / density;
  const float v = (f[2] - f[4] + f[5] + f[6] - f[7] - f[8]) / density;
  const float speed = 1.0f - 1.5f * (u * u + v * v);
  const float along[9] = {0.0f, u, v, -u, -v, u + v, v - u, -u - v, u - v};
  for (uint i = 0; i < 9; ++i) {
    const float weight = i == 0 ? 4.0f / 9.0f : i < 5 ? 1.0f / 9.0f : 1.0f / 36.0f;
    const float balance = weight * density * (speed + 3.0f * along[i] + 4.5f * along[i] * along[i]);
    to[i * plane + at] = f[i] + relaxation * (balance - f[i]);
  }
}

// A step of Floyd and Warshall's shortest ways: those over `middle`.
KERNEL shortest_ways(GLOBAL float* distances, uint n, uint middle) {
  const uint at = GLOBAL_Y * n + GLOBAL_X;
  const float over = distances[GLOBAL_Y * n + middle] + distances[middle * n + GLOBAL_X];
  if (over < distances[at]) distances[at] = over;
}
