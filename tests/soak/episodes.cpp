// SPDX-License-Identifier: Apache-2.0
#include "soak/episodes.h"

#include <atomic>
#include <cstdio>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>

#include "api/random_calls/caller.h"
#include "api/random_images/world.h"
#include "kernels/random/generator.h"
#include "soak/role.h"
#include "soak/session.h"
#include "soak/tally.h"
#include "support/device_info.h"

namespace soak {
namespace {

struct Now {
  const Episode* episode = nullptr;
  std::uint64_t seed = 0;
};
thread_local Now now;
std::atomic<bool> failed = false;

// Prints the seed with which a failure can be repeated.
class FailureWatch : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    failed = true;
    std::fprintf(stderr, "%s:%d: %s\n", result.file_name() ? result.file_name() : "?", result.line_number(),
                 result.message());
    if (now.episode)
      std::fprintf(stderr, "to repeat it: --episode %s --seed %llu%s\n", now.episode->name,
                   static_cast<unsigned long long>(now.seed),
                   role().repeats_programs ? " --repeats-programs" : "");
  }
};

test::Context context_of(const std::vector<cl_device_id>& devices) {
  cl_int error = CL_SUCCESS;
  const cl_context made = clCreateContext(nullptr, static_cast<cl_uint>(devices.size()), devices.data(),
                                          nullptr, nullptr, &error);
  CL_EXPECT(CL_SUCCESS, error);
  count(Count::contexts);
  return made;
}

// Buffers, kernels, SVM, pipes, printf, programs: many activities at the same time.
void session() {
  Session session;
  for (auto left = 5 + below(60); left > 0; --left) session.step();
  if (chance(70)) session.settle();
}

// A thread that ends while its commands run.
void early_thread() {
  const std::uint64_t seed = test::random_engine()();
  std::thread([seed, parent = now] {
    now = parent;
    const test::RandomEngineOfThread own(seed);
    Session session;
    for (auto left = 1 + below(10); left > 0; --left) session.step();
  }).join();
  count(Count::early_threads);
}

// Images of all types and formats.
void images() {
  constexpr int kCommands = 60;
  const std::vector<cl_device_id>& all = test::devices();
  if (!test::device_info<cl_bool>(all.front(), CL_DEVICE_IMAGE_SUPPORT)) return;
  const test::Context context = context_of(all);
  random_images::Kernels kernels(context);
  random_images::World world(context, all, kernels);
  for (int i = 0; i < kCommands; ++i) world.step();
  world.check_all();
  count(Count::commands, kCommands);
}

// Which results of a random kernel are wrong: all of a work-item's, some of all work-items, or none has been written.
template <class Raw>
std::string difference(const std::vector<Raw>& seen, const std::vector<Raw>& expected) {
  std::ostringstream text;
  std::size_t different = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] == expected[i]) continue;
    if (++different <= 16)
      text << "\n[" << i << "] " << std::hex << seen[i] << " instead of " << expected[i] << std::dec;
  }
  return std::to_string(different) + " of " + std::to_string(seen.size()) + " results differ:" + text.str();
}

// The kernel k of a program for one device, with a queue. It takes two buffers.
class OneKernel {
 public:
  OneKernel(cl_device_id device, const std::string& source) : context_(context_of({device})) {
    cl_int error = CL_SUCCESS;
    queue_ = clCreateCommandQueueWithProperties(context_, device, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    const char* text = source.c_str();
    program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, clBuildProgram(program_, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr));
    count(Count::builds);
    kernel_ = clCreateKernel(program_, "k", &error);
    CL_EXPECT(CL_SUCCESS, error);
  }
  template <class T>
  void run(std::vector<T>& out, const std::vector<T>& in, std::size_t items, std::size_t group) {
    cl_int error = CL_SUCCESS;
    std::vector<T> contents = in;
    test::Buffer buffers[2];
    buffers[0] = clCreateBuffer(context_, 0, out.size() * sizeof(T), nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    buffers[1] =
        clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, contents.size() * sizeof(T), contents.data(), &error);
    CL_EXPECT(CL_SUCCESS, error);
    for (cl_uint i = 0; i < 2; ++i)
      CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel_, i, sizeof(cl_mem), buffers[i].list()));
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &items, &group, 0, nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue_, buffers[0], CL_TRUE, 0, out.size() * sizeof(T),
                                              out.data(), 0, nullptr, nullptr));
    count(Count::commands, 2);
  }

 private:
  test::Context context_;
  test::Queue queue_;
  test::Program program_;
  test::Kernel kernel_;
};

// A random kernel, whose results are computed on the host.
void kernels() {
  using random_kernels::Generator;
  using random_kernels::Raw;
  std::mt19937_64 random(any_program_number());
  const Generator::Program made = Generator(random).make();
  std::vector<Raw> seen(made.expected.size());
  OneKernel(any_of(test::devices()), made.source).run(seen, made.input, Generator::kItems, Generator::kGroup);
  EXPECT_TRUE(seen == made.expected) << difference(seen, made.expected) << '\n' << made.source;
  count(Count::compared, seen.size() * sizeof(Raw));
}

// Random calls with random arguments. A released handle may have become another thread's object, so this needs a process with one thread.
void calls() {
  const cl_device_id device = test::devices().front();
  const test::Context context = context_of({device});
  test::Caller caller(context, device);
  for (auto left = 100 + below(1000); left > 0; --left) {
    EXPECT_EQ("", caller.call());
    count(Count::calls);
  }
}

constexpr Episode kEpisodes[] = {{"session", 60, session},
                                 {"early_thread", 15, early_thread},
                                 {"images", 15, images},
                                 {"kernels", 10, kernels},
                                 {"calls", 0, calls}};

}  // namespace

const Episode& any_episode() {
  if (!role().episode.empty())
    for (const Episode& episode : kEpisodes)
      if (role().episode == episode.name) return episode;
  auto left = below(std::accumulate(std::begin(kEpisodes), std::end(kEpisodes), std::size_t{0},
                                    [](std::size_t sum, const Episode& each) { return sum + each.weight; }));
  for (const Episode& episode : kEpisodes) {
    if (left < episode.weight) return episode;
    left -= episode.weight;
  }
  return kEpisodes[0];
}

std::uint64_t any_program_number() {
  constexpr std::size_t kPrograms = 8;
  return role().repeats_programs ? below(kPrograms) : test::random_engine()();
}

void run_episode(const Episode& episode, std::uint64_t seed) {
  const test::RandomEngineOfThread own(seed);
  now = {&episode, seed};
  episode.run();
  now = {};
}

void use_most_private_memory() {
  const char* source = R"(
    kernel void k(global uint* out, global const uint* in) {
      private uint all[2048];
      for (uint i = 0; i < 2048; ++i) all[i] = i * in[0];
      out[0] = all[in[1] & 2047] + all[in[2] & 2047];
    })";
  for (const cl_device_id device : test::devices()) {
    std::vector<cl_uint> seen(1);
    OneKernel(device, source).run(seen, {3, 5, 2047}, 1, 1);
    EXPECT_EQ(3 * (5 + 2047), seen[0]);
  }
}

void watch_failures() {
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new FailureWatch);
}

bool has_failed() { return failed; }

}  // namespace soak
