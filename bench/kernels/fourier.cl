// SPDX-License-Identifier: Apache-2.0

DEVICE float2 complex_product(float2 a, float2 b) {
  return FLOAT2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// Transforms of 1024 points, one for a group of 256: five radix-4 passes (Stockham's) through local memory.
// roots[i] = exp(-2πi·√-1/1024).
GROUP_KERNEL(256, 1) fft(GLOBAL const float2* from, GLOBAL float2* to, GLOBAL const float2* roots) {
  LOCAL float2 memory[1024];
  const uint item = LOCAL_X, first = GROUP_X * 1024;
  float2 a = from[first + item], b = from[first + item + 256], c = from[first + item + 512],
         d = from[first + item + 768];
  for (uint size = 1; size <= 256; size *= 4) {
    const uint within = item % size, step = within * (256 / size);
    b = complex_product(b, roots[step]);
    c = complex_product(c, roots[2 * step]);
    d = complex_product(d, roots[3 * step]);
    const float2 even = FLOAT2(a.x + c.x, a.y + c.y), odd = FLOAT2(a.x - c.x, a.y - c.y);
    const float2 sum = FLOAT2(b.x + d.x, b.y + d.y), difference = FLOAT2(b.y - d.y, d.x - b.x);
    const uint out = (item - within) * 4 + within;
    BARRIER();
    memory[out] = FLOAT2(even.x + sum.x, even.y + sum.y);
    memory[out + size] = FLOAT2(odd.x + difference.x, odd.y + difference.y);
    memory[out + 2 * size] = FLOAT2(even.x - sum.x, even.y - sum.y);
    memory[out + 3 * size] = FLOAT2(odd.x - difference.x, odd.y - difference.y);
    BARRIER();
    a = memory[item];
    b = memory[item + 256];
    c = memory[item + 512];
    d = memory[item + 768];
  }
  to[first + item] = a;
  to[first + item + 256] = b;
  to[first + item + 512] = c;
  to[first + item + 768] = d;
}
