// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "harness/cases.h"

namespace bench {
namespace {

double force_x(const std::vector<float>& bodies, size_t body) {
  double force = 0;
  for (size_t i = 0; i < bodies.size(); i += 4) {
    const double x = double(bodies[i]) - bodies[body * 4], y = double(bodies[i + 1]) - bodies[body * 4 + 1],
                 z = double(bodies[i + 2]) - bodies[body * 4 + 2];
    force += x * bodies[i + 3] * std::pow(x * x + y * y + z * z + 1e-3, -1.5);
  }
  return force;
}

void nbody(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(65536, 2048);
  const std::vector<float> bodies = random_values(n * 4, 12);
  const Memory device_bodies = bench.device().upload(bodies),
               forces = bench.device().allocate(device_bodies.bytes);
  set_arguments(kernel, device_bodies, forces, n);
  const auto check = [&] {
    const auto results = bench.device().download<float>(forces);
    at_some_places(n, [&](size_t i) { expect_near(results[i * 4], force_x(bodies, i), 1e-2); });
  };
  // 20 operations for a pair of bodies, as this kernel is usually counted.
  bench.measure({n / 256}, {256}, check, 20e-9 * double(n) * n, "GFLOP/s");
}

}  // namespace

const std::vector<Case> kParticleCases = {{"nbody", "particles", nbody}};

}  // namespace bench
