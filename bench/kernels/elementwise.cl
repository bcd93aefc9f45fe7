// SPDX-License-Identifier: Apache-2.0
// Work-items that do not talk to each other.

KERNEL triad(GLOBAL float* a, GLOBAL const float* b, GLOBAL const float* c, float scale) {
  const uint i = GLOBAL_X;
  a[i] = b[i] + scale * c[i];
}

KERNEL transcendental(GLOBAL const float* values, GLOBAL float* results) {
  const uint i = GLOBAL_X;
  const float x = values[i];
  results[i] = sin(x) + exp(x) + pow(x, 1.7f) + log(x);
}

// The distribution function of the standard normal distribution, after Abramowitz and Stegun 26.2.17.
DEVICE float normal_distribution(float x) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
  const float sum =
      k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * exp(-0.5f * x * x) * sum;
  return x < 0 ? tail : 1.0f - tail;
}

KERNEL black_scholes(GLOBAL const float* prices, GLOBAL const float* strikes, GLOBAL const float* years,
                     GLOBAL float* calls, GLOBAL float* puts, float rate, float volatility) {
  const uint i = GLOBAL_X;
  const float price = prices[i], strike = strikes[i], time = years[i];
  const float deviation = volatility * sqrt(time);
  const float d1 = (log(price / strike) + (rate + 0.5f * volatility * volatility) * time) / deviation;
  const float n1 = normal_distribution(d1), n2 = normal_distribution(d1 - deviation);
  const float discounted = strike * exp(-rate * time);
  calls[i] = price * n1 - discounted * n2;
  puts[i] = discounted * (1.0f - n2) - price * (1.0f - n1);
}

KERNEL mandelbrot(GLOBAL uint* steps, uint width, float left, float top, float distance, uint most) {
  const float x0 = left + (float)GLOBAL_X * distance, y0 = top + (float)GLOBAL_Y * distance;
  float x = 0, y = 0, xx = 0, yy = 0;
  uint step = 0;
  while (step < most && xx + yy <= 4.0f) {
    y = 2.0f * x * y + y0;
    x = xx - yy + x0;
    xx = x * x;
    yy = y * y;
    ++step;
  }
  steps[GLOBAL_Y * width + GLOBAL_X] = step;
}

// Philox 4x32-10 (Salmon et al., 2011): how many of `rounds` times two random points lie in the quarter circle.
KERNEL monte_carlo(GLOBAL uint* hits, uint seed, uint rounds) {
  uint inside = 0;
  for (uint round = 0; round < rounds; ++round) {
    uint a = GLOBAL_X, b = round, c = 0, d = 0, key0 = seed, key1 = 0;
    for (uint i = 0; i < 10; ++i) {
      const uint high0 = MULTIPLY_HIGH(0xD2511F53u, a), low0 = 0xD2511F53u * a;
      const uint high1 = MULTIPLY_HIGH(0xCD9E8D57u, c), low1 = 0xCD9E8D57u * c;
      a = high1 ^ b ^ key0;
      b = low1;
      c = high0 ^ d ^ key1;
      d = low0;
      key0 += 0x9E3779B9u;
      key1 += 0xBB67AE85u;
    }
    const float unit = 2.3283064e-10f;
    const float x0 = (float)a * unit, y0 = (float)b * unit, x1 = (float)c * unit, y1 = (float)d * unit;
    inside += (x0 * x0 + y0 * y0 <= 1.0f) + (x1 * x1 + y1 * y1 <= 1.0f);
  }
  hits[GLOBAL_X] = inside;
}
