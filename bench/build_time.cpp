// SPDX-License-Identifier: Apache-2.0
// The time to build a program: a new one, the same again, the same in a new process; and the time to load the library. Measurements that
// need a fresh process run this program again with --child.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/benchmark.h"
#include "harness/kernel_sources.h"
#include "support/client.h"

extern char** environ;

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A random number that makes the source new for every cache.
std::string fresh_number() {
  static std::random_device random;
  return std::to_string(random() % 1'000'000'000) + "u";
}

std::string seven_kernels(const std::string& number) {
  std::string source(bench::kernel_source("language"));
  for (const char* family : {"matrix", "particles", "fourier"}) source += bench::kernel_source(family);
  return source + "kernel void fresh(global uint* p) { p[get_global_id(0)] ^= " + number + "; }\n";
}

std::string many_kernels(unsigned count, const std::string& number) {
  std::string source;
  for (unsigned i = 0; i < count; ++i) {
    const std::string index = std::to_string(i);
    source += "kernel void k" + index + "(global float* a, global const float* b, float scale, uint n) {\n" +
              "  const uint i = get_global_id(0);\n  if (i >= n) return;\n  float sum = a[i] * " + index +
              ".5f;\n" + "  for (uint k = 0; k < n; k += " + std::to_string(i % 7 + 1) +
              ") sum = fma(b[k], scale, sum);\n" + "  a[i] = sum + (float)(i ^ " + number + ");\n}\n";
  }
  return source;
}

void build(const client::Session& session, const std::string& source, const char* kernel) {
  session.kernel(session.build(source), kernel);
}

// The resident memory of this process, in MiB.
double resident() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return double(resident) * double(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// Run in a fresh process: prints the seconds until the platforms are known, until a context and a queue exist (also since the start,
// because some implementations initialize the driver with the former, others with the latter), the time to build a program that another
// process has built before, and the process's size in MiB.
void run_child(const std::string& device, const std::string& number) {
  Clock::time_point start = Clock::now();
  cl_uint count = 0;
  client::check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
  const double platforms = since(start);
  const client::Session session(device);
  const double context = since(start);
  start = Clock::now();
  build(session, seven_kernels(number), "fft");
  std::printf("%.9f %.9f %.9f %.3f\n", platforms, context, since(start), resident());
}

struct Child {
  double platforms, context, build, resident;
};

Child run_anew(const std::string& device, const std::string& number) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  std::string words[] = {"bench_build_time", "--child", number, device};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::FILE* output = fdopen(ends[0], "r");
  char line[256] = {};
  const bool answered = !error && std::fgets(line, sizeof line, output);
  std::fclose(output);
  if (!error) waitpid(child, nullptr, 0);
  Child result{};
  std::istringstream numbers(line);
  numbers >> result.platforms >> result.context >> result.build >> result.resident;
  if (!answered || !numbers) throw std::runtime_error("the fresh process failed");
  return result;
}

class BuildTime {
 public:
  explicit BuildTime(const bench::Options& options) : device_(options.device), session_(options.device) {
    benchmark::AddCustomContext("device", session_.device_name());
  }

  void add() {
    bench::add("build_7_new", [this](benchmark::State& state) {
      for (auto _ : state) build(session_, seven_kernels(fresh_number()), "fft");
    });
    bench::add("build_7_again", [this](benchmark::State& state) {
      bench::time_batch(state, [&](size_t n) {
        while (n--) build(session_, seven_kernels(number_), "fft");
      });
    });
    bench::add("build_535_new", [this](benchmark::State& state) {
      for (auto _ : state) build(session_, many_kernels(535, fresh_number()), "k534");
    })->Repetitions(3);
    add_child("new_process_platforms", &Child::platforms);
    add_child("new_process_context", &Child::context);
    add_child("new_process_build_7_again", &Child::build);
    add_child("new_process_resident", &Child::resident);
  }

 private:
  // Seven processes, each of which gives one sample for every benchmark.
  void add_child(const std::string& name, double Child::* result) {
    bench::add_with_own_time(name,
                             [=, this, next = size_t(0)](benchmark::State& state) mutable {
                               for (auto _ : state) {
                                 const double value = child(next++).*result;
                                 if (result == &Child::resident)
                                   bench::report_value(state, value, "MiB");
                                 else
                                   state.SetIterationTime(value);
                               }
                             })
        ->Iterations(1)
        ->Repetitions(7);
  }
  const Child& child(size_t index) {
    if (children_.empty()) build(session_, seven_kernels(number_), "fft");
    while (children_.size() <= index) children_.push_back(run_anew(device_, number_));
    return children_[index];
  }

  std::string device_;
  client::Session session_;
  const std::string number_ = fresh_number();
  std::vector<Child> children_;
};

}  // namespace

int main(int count, char** words) {
  const bool is_child = count == 4 && std::strcmp(words[1], "--child") == 0;
  if (!is_child) return bench::run_main<BuildTime>(count, words);
  return bench::run_main(0, words, [&](const bench::Options&) { run_child(words[3], words[2]); });
}
