// SPDX-License-Identifier: Apache-2.0
// Texts, keys and codes.

CONSTANT uint md5_constants[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
CONSTANT uint md5_rotations[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

// The first word of MD5 (RFC 1321) of the four bytes of each work-item's number, smallest first.
KERNEL md5(GLOBAL uint* digests) {
  uint words[16];
  words[0] = GLOBAL_X;
  words[1] = 0x80;
  for (uint i = 2; i < 16; ++i) words[i] = i == 14 ? 32 : 0;
  uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
#pragma unroll
  for (uint i = 0; i < 64; ++i) {
    const uint round = i / 16;
    const uint mixed = round == 0   ? (b & c) | (~b & d)
                       : round == 1 ? (d & b) | (~d & c)
                       : round == 2 ? b ^ c ^ d
                                    : c ^ (b | ~d);
    const uint place = round == 0 ? i : round == 1 ? 5 * i + 1 : round == 2 ? 3 * i + 5 : 7 * i;
    const uint sum = a + mixed + md5_constants[i] + words[place % 16];
    a = d;
    d = c;
    c = b;
    b += ROTATE_LEFT(sum, md5_rotations[round * 4 + i % 4]);
  }
  digests[GLOBAL_X] = a + 0x67452301;
}

// AES-128 (FIPS 197) of a block for each work-item. table[x] holds S(x) times 2, 1, 1 and 3; `keys` are those of all rounds.
DEVICE uint aes_column(LOCAL_POINTER const uint* table, uint a, uint b, uint c, uint d, uint key) {
  return table[a & 255] ^ ROTATE_LEFT(table[b >> 8 & 255], 8) ^ ROTATE_LEFT(table[c >> 16 & 255], 16) ^
         ROTATE_LEFT(table[d >> 24], 24) ^ key;
}

DEVICE uint aes_last_column(LOCAL_POINTER const uint* table, uint a, uint b, uint c, uint d, uint key) {
  return ((table[a & 255] >> 8 & 255) | (table[b >> 8 & 255] & 0xff00) | (table[c >> 16 & 255] & 0xff0000) |
          (table[d >> 24] << 8 & 0xff000000)) ^
         key;
}

GROUP_KERNEL(256, 1)
aes(GLOBAL const uint4* plain, GLOBAL const uint* table_of_all, GLOBAL const uint* keys,
    GLOBAL uint4* coded) {
  LOCAL uint table[256];
  table[LOCAL_X] = table_of_all[LOCAL_X];
  BARRIER();
  const uint4 block = plain[GLOBAL_X];
  uint a = block.x ^ keys[0], b = block.y ^ keys[1], c = block.z ^ keys[2], d = block.w ^ keys[3];
  for (uint round = 4; round < 40; round += 4) {
    const uint e = aes_column(table, a, b, c, d, keys[round]),
               f = aes_column(table, b, c, d, a, keys[round + 1]),
               g = aes_column(table, c, d, a, b, keys[round + 2]),
               h = aes_column(table, d, a, b, c, keys[round + 3]);
    a = e;
    b = f;
    c = g;
    d = h;
  }
  coded[GLOBAL_X] =
      UINT4(aes_last_column(table, a, b, c, d, keys[40]), aes_last_column(table, b, c, d, a, keys[41]),
            aes_last_column(table, c, d, a, b, keys[42]), aes_last_column(table, d, a, b, c, keys[43]));
}

// How alike two texts of 64 bytes are (Needleman and Wunsch): a pair for each group, diagonal after diagonal of their table.
GROUP_KERNEL(64, 1) alignment(GLOBAL const uchar* first, GLOBAL const uchar* second, GLOBAL int* scores) {
  LOCAL int table[65][65];
  LOCAL uchar other[64];
  const uint item = LOCAL_X;
  const uchar own = first[GLOBAL_X];
  other[item] = second[GLOBAL_X];
  table[0][item + 1] = table[item + 1][0] = -2 * (int)(item + 1);
  if (item == 0) table[0][0] = 0;
  BARRIER();
  for (uint diagonal = 0; diagonal < 127; ++diagonal) {
    const uint column = diagonal - item;
    if (column < 64) {
      const int gap = max(table[item + 1][column], table[item][column + 1]) - 2;
      table[item + 1][column + 1] = max(gap, table[item][column] + (own == other[column] ? 3 : -1));
    }
    BARRIER();
  }
  if (item == 0) scores[GROUP_X] = table[64][64];
}

// Tiles of 512 in order.
GROUP_KERNEL(256, 1) bitonic_sort(GLOBAL const uint* keys, GLOBAL uint* sorted) {
  LOCAL uint tile[512];
  const uint item = LOCAL_X, first = GROUP_X * 512;
  tile[item] = keys[first + item];
  tile[item + 256] = keys[first + item + 256];
  for (uint size = 2; size <= 512; size *= 2) {
    for (uint distance = size / 2; distance > 0; distance /= 2) {
      BARRIER();
      const uint low = 2 * item - (item & (distance - 1)), high = low + distance;
      const uint a = tile[low], b = tile[high];
      if ((a > b) == ((low & size) == 0)) {
        tile[low] = b;
        tile[high] = a;
      }
    }
  }
  BARRIER();
  sorted[first + item] = tile[item];
  sorted[first + item + 256] = tile[item + 256];
}

// Sums of the values that go to the same place.
KERNEL scatter_add(GLOBAL const uint* places, GLOBAL const uint* values, GLOBAL uint* sums, uint count) {
  for (uint i = GLOBAL_X; i < count; i += GLOBAL_SIZE_X) GLOBAL_ADD(&sums[places[i]], values[i]);
}
