// SPDX-License-Identifier: Apache-2.0

// A body is a position and a mass.
GROUP_KERNEL(256, 1) nbody(GLOBAL const float4* bodies, GLOBAL float4* forces, uint count) {
  LOCAL float4 others[256];
  const float4 body = bodies[GLOBAL_X];
  float force_x = 0, force_y = 0, force_z = 0;
  for (uint first = 0; first < count; first += 256) {
    others[LOCAL_X] = bodies[first + LOCAL_X];
    BARRIER();
    for (uint i = 0; i < 256; ++i) {
      const float x = others[i].x - body.x, y = others[i].y - body.y, z = others[i].z - body.z;
      const float inverse = rsqrt(x * x + y * y + z * z + 1e-3f);
      const float pull = others[i].w * inverse * inverse * inverse;
      force_x += x * pull;
      force_y += y * pull;
      force_z += z * pull;
    }
    BARRIER();
  }
  forces[GLOBAL_X] = FLOAT4(force_x, force_y, force_z, 0);
}
