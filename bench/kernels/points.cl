// SPDX-License-Identifier: Apache-2.0
// Bodies, points and rays.

// Forces within a distance, as in Rodinia's lavaMD: a group for each cell, which has 64 bodies and a list of `count` neighbours.
GROUP_KERNEL(64, 1)
cell_forces(GLOBAL const float4* bodies, GLOBAL const uint* neighbours, GLOBAL float4* forces, uint count,
            float decay) {
  LOCAL float4 others[64];
  const float4 body = bodies[GLOBAL_X];
  float potential = 0, force_x = 0, force_y = 0, force_z = 0;
  for (uint i = 0; i < count; ++i) {
    others[LOCAL_X] = bodies[neighbours[GROUP_X * count + i] * 64 + LOCAL_X];
    BARRIER();
    for (uint j = 0; j < 64; ++j) {
      const float x = body.x - others[j].x, y = body.y - others[j].y, z = body.z - others[j].z;
      const float strength = others[j].w * exp(-decay * (x * x + y * y + z * z));
      potential += strength;
      force_x += 2.0f * strength * x;
      force_y += 2.0f * strength * y;
      force_z += 2.0f * strength * z;
    }
    BARRIER();
  }
  forces[GLOBAL_X] = FLOAT4(force_x, force_y, force_z, potential);
}

// The nearest of `count` centres to each of `points` points of `size` numbers each, kept by their places.
KERNEL nearest_centre(GLOBAL const float* values, GLOBAL const float* centres, GLOBAL uint* nearest,
                      uint points, uint size, uint count) {
  float least = 3.4e38f;
  uint best = 0;
  for (uint centre = 0; centre < count; ++centre) {
    float sum = 0;
    for (uint i = 0; i < size; ++i) {
      const float difference = values[i * points + GLOBAL_X] - centres[centre * size + i];
      sum += difference * difference;
    }
    if (sum < least) {
      least = sum;
      best = centre;
    }
  }
  nearest[GLOBAL_X] = best;
}

// Spheres (centre and radius) seen from the origin; how bright the nearest is that each ray meets.
KERNEL spheres(GLOBAL const float4* all, uint count, GLOBAL float* picture, uint width, float scale) {
  float x = (float)GLOBAL_X * scale - 1.0f, y = (float)GLOBAL_Y * scale - 1.0f;
  const float inverse = rsqrt(x * x + y * y + 1.0f);
  x *= inverse;
  y *= inverse;
  float nearest = 1e30f, brightness = 0.0f;
  for (uint i = 0; i < count; ++i) {
    const float4 sphere = all[i];
    const float along = x * sphere.x + y * sphere.y + inverse * sphere.z;
    const float below = along * along - (sphere.x * sphere.x + sphere.y * sphere.y + sphere.z * sphere.z -
                                         sphere.w * sphere.w);
    if (below < 0.0f) continue;
    const float distance = along - sqrt(below);
    if (distance > 0.0f && distance < nearest) {
      nearest = distance;
      brightness = (sphere.z - distance * inverse) / sphere.w;
    }
  }
  picture[GLOBAL_Y * width + GLOBAL_X] = brightness;
}
