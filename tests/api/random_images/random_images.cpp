// SPDX-License-Identifier: Apache-2.0
// Images of each type and format, and random commands on them, in queues of all kinds. Each read must return what the model (model.h)
// contains. CLCUDA_TEST_SEED repeats a run, CLCUDA_TEST_SECONDS makes it longer, CLCUDA_TEST_TRACE prints each command before it is
// enqueued.
#include <chrono>
#include <cstdlib>

#include "world.h"

namespace {

using RandomImages = test::ImageTest;

TEST_F(RandomImages, AreWhatWasWritten) {
  const char* wanted = std::getenv("CLCUDA_TEST_SECONDS");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wanted ? std::atoi(wanted) : 5);
  const std::vector<cl_device_id>& all = test::devices();
  cl_int error = CL_SUCCESS;
  const test::Context context =
      clCreateContext(nullptr, static_cast<cl_uint>(all.size()), all.data(), nullptr, nullptr, &error);
  CL_OK(error);
  random_images::Kernels kernels(context);
  constexpr int kCommands = 60;
  int worlds = 0;
  do {
    random_images::World world(context, all, kernels);
    for (int i = 0; i < kCommands && !HasFailure(); ++i) world.step();
    if (!HasFailure()) world.check_all();
    ++worlds;
  } while (!HasFailure() && std::chrono::steady_clock::now() < end);
  RecordProperty("commands", worlds * kCommands);
}

}  // namespace
