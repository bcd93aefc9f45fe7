// SPDX-License-Identifier: Apache-2.0
// Integer work on texts.

CONSTANT uint sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#define ROTATE_RIGHT(value, count) ROTATE_LEFT(value, 32 - (count))

// The first word of SHA-256 (FIPS 180-4) of the four bytes of each work-item's number, biggest first.
KERNEL sha256(GLOBAL uint* digests) {
  uint words[16];
  words[0] = GLOBAL_X;
  words[1] = 0x80000000;
  for (uint i = 2; i < 15; ++i) words[i] = 0;
  words[15] = 32;
  uint a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
  uint e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
#pragma unroll
  for (uint i = 0; i < 64; ++i) {
    if (i >= 16) {
      const uint early = words[(i + 1) % 16], late = words[(i + 14) % 16];
      words[i % 16] += (ROTATE_RIGHT(early, 7) ^ ROTATE_RIGHT(early, 18) ^ early >> 3) + words[(i + 9) % 16] +
                       (ROTATE_RIGHT(late, 17) ^ ROTATE_RIGHT(late, 19) ^ late >> 10);
    }
    const uint t1 = h + (ROTATE_RIGHT(e, 6) ^ ROTATE_RIGHT(e, 11) ^ ROTATE_RIGHT(e, 25)) +
                    ((e & f) ^ (~e & g)) + sha256_constants[i] + words[i % 16];
    const uint t2 =
        (ROTATE_RIGHT(a, 2) ^ ROTATE_RIGHT(a, 13) ^ ROTATE_RIGHT(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  digests[GLOBAL_X] = a + 0x6a09e667;
}

// How often a group finds the `length` bytes of `wanted` at its positions; behind the text are `length` bytes more.
GROUP_KERNEL(256, 1)
string_search(GLOBAL const uchar* text, GLOBAL const uchar* wanted, uint length, uint count,
              GLOBAL uint* found) {
  LOCAL uint matches;
  if (LOCAL_X == 0) matches = 0;
  BARRIER();
  for (uint at = GLOBAL_X; at < count; at += GLOBAL_SIZE_X) {
    uint same = 0;
    while (same < length && text[at + same] == wanted[same]) ++same;
    if (same == length) LOCAL_INCREMENT(&matches);
  }
  BARRIER();
  if (LOCAL_X == 0) found[GROUP_X] = matches;
}
