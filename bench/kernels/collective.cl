// SPDX-License-Identifier: Apache-2.0
// Groups of 256 that work together through local memory.

GROUP_KERNEL(256, 1) reduction(GLOBAL const float* values, GLOBAL float* sums, uint count) {
  LOCAL float partial[256];
  const uint lane = LOCAL_X;
  float sum = 0;
  for (uint i = GLOBAL_X; i < count; i += GLOBAL_SIZE_X) sum += values[i];
  partial[lane] = sum;
  for (uint distance = 128; distance > 0; distance /= 2) {
    BARRIER();
    if (lane < distance) partial[lane] += partial[lane + distance];
  }
  if (lane == 0) sums[GROUP_X] = partial[0];
}

// The sum of all lanes below, and in `total` that of all.
DEVICE uint exclusive_sum(LOCAL_POINTER uint* memory, uint lane, uint value, uint* total) {
  uint sum = value;
  memory[lane] = sum;
  for (uint distance = 1; distance < 256; distance *= 2) {
    BARRIER();
    const uint below = lane >= distance ? memory[lane - distance] : 0;
    BARRIER();
    sum += below;
    memory[lane] = sum;
  }
  BARRIER();
  *total = memory[255];
  BARRIER();
  return sum - value;
}

// Inclusive sums within tiles of 1024, and the sum of each tile.
GROUP_KERNEL(256, 1) scan(GLOBAL const uint* values, GLOBAL uint* sums, GLOBAL uint* totals) {
  LOCAL uint memory[256];
  const uint first = GLOBAL_X * 4;
  const uint a = values[first], b = a + values[first + 1], c = b + values[first + 2],
             d = c + values[first + 3];
  uint total;
  const uint before = exclusive_sum(memory, LOCAL_X, d, &total);
  sums[first] = before + a;
  sums[first + 1] = before + b;
  sums[first + 2] = before + c;
  sums[first + 3] = before + d;
  if (LOCAL_X == 0) totals[GROUP_X] = total;
}

// How often each byte occurs in the words that a group sees.
GROUP_KERNEL(256, 1) histogram(GLOBAL const uint* words, GLOBAL uint* counts, uint count) {
  LOCAL uint bins[256];
  bins[LOCAL_X] = 0;
  BARRIER();
  for (uint i = GLOBAL_X; i < count; i += GLOBAL_SIZE_X) {
    const uint word = words[i];
    LOCAL_INCREMENT(&bins[word & 255]);
    LOCAL_INCREMENT(&bins[word >> 8 & 255]);
    LOCAL_INCREMENT(&bins[word >> 16 & 255]);
    LOCAL_INCREMENT(&bins[word >> 24]);
  }
  BARRIER();
  counts[GLOBAL_X] = bins[LOCAL_X];
}

// A pass of a radix sort within tiles of 256: keys in the order of four of their bits.
GROUP_KERNEL(256, 1) radix_pass(GLOBAL const uint* keys, GLOBAL uint* sorted, uint shift) {
  LOCAL uint memory[256];
  LOCAL uint exchange[256];
  uint key = keys[GLOBAL_X];
  for (uint bit = shift; bit < shift + 4; ++bit) {
    const uint one = key >> bit & 1;
    uint ones;
    const uint ones_before = exclusive_sum(memory, LOCAL_X, one, &ones);
    exchange[one ? 256 - ones + ones_before : LOCAL_X - ones_before] = key;
    BARRIER();
    key = exchange[LOCAL_X];
    BARRIER();
  }
  sorted[GLOBAL_X] = key;
}
