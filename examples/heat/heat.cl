// SPDX-License-Identifier: Apache-2.0
// A step of heat conduction on a tile of a plane, WIDTH x HEIGHT cells. The cells beyond the tile's sides are the neighbours': they come in
// `incoming`, and what the neighbours need of this tile goes to `outgoing`, both as north, south (WIDTH cells each), west, east (HEIGHT
// each). So the edges are computed first, and while they are sent the interior, which is most of the tile.

// The host checks every bit, so no multiplication and addition may become one.
#pragma OPENCL FP_CONTRACT OFF

float conducted(float centre, float north, float south, float west, float east) {
  const float sum = (north + south) + (west + east);
  return centre + 0.2f * (sum - 4.0f * centre);
}

kernel void interior(global const float* restrict now, global float* restrict next) {
  const int x = (int)get_global_id(0) + 1, y = (int)get_global_id(1) + 1;
  if (x >= WIDTH - 1 || y >= HEIGHT - 1) return;
  const int i = y * WIDTH + x;
  next[i] = conducted(now[i], now[i - WIDTH], now[i + WIDTH], now[i - 1], now[i + 1]);
}

float value_at(global const float* now, global const float* incoming, int x, int y) {
  if (y < 0) return incoming[x];
  if (y >= HEIGHT) return incoming[WIDTH + x];
  if (x < 0) return incoming[2 * WIDTH + y];
  if (x >= WIDTH) return incoming[2 * WIDTH + HEIGHT + y];
  return now[y * WIDTH + x];
}

// A work-item for each cell of `outgoing`. Corners are in two sides; the north's and the south's write them to the tile.
kernel void edges(global const float* restrict now, global float* restrict next,
                  global const float* restrict incoming, global float* restrict outgoing) {
  const int i = (int)get_global_id(0);
  int x = i % WIDTH, y = i < WIDTH ? 0 : HEIGHT - 1;
  if (i >= 2 * WIDTH) {
    y = (i - 2 * WIDTH) % HEIGHT;
    x = i < 2 * WIDTH + HEIGHT ? 0 : WIDTH - 1;
  }
  const float value = conducted(value_at(now, incoming, x, y), value_at(now, incoming, x, y - 1),
                                value_at(now, incoming, x, y + 1), value_at(now, incoming, x - 1, y),
                                value_at(now, incoming, x + 1, y));
  outgoing[i] = value;
  if (i < 2 * WIDTH || (y > 0 && y < HEIGHT - 1)) next[y * WIDTH + x] = value;
}
