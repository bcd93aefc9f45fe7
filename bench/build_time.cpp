// SPDX-License-Identifier: Apache-2.0
// How long a program waits for its kernels: new ones, the same again, the same in a new process; and for the library itself.
// What must be measured in a fresh process is measured by this program run anew, told what to do by --child.
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

#include "harness/kernel_sources.h"
#include "harness/measure.h"
#include "support/client.h"

extern char** environ;

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Never the same code twice, for any cache.
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

// The memory of this process that is resident, in MiB.
double resident() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return double(resident) * double(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// What a fresh process does: prints the seconds to the platforms, to a context and queue (from the start too, because some initialise
// the driver with the first, others with the second), to build what another has built before, then its size in MiB.
bool run_child(const std::string& device, const std::string& number) {
  Clock::time_point start = Clock::now();
  cl_uint count = 0;
  client::check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
  const double platforms = since(start);
  const client::Session session(device);
  const double context = since(start);
  start = Clock::now();
  build(session, seven_kernels(number), "fft");
  std::printf("%.9f %.9f %.9f %.3f\n", platforms, context, since(start), resident());
  return true;
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
  explicit BuildTime(const bench::Options& options)
      : options_(options),
        session_(options.device),
        report_("build_time", options, session_.platform_name(), session_.device_name()) {}

  void run() {
    const std::string number = fresh_number();
    build(session_, seven_kernels(number), "fft");
    sample("build_7_new", 9, [&] { build(session_, seven_kernels(fresh_number()), "fft"); });
    sample("build_7_again", 101, [&] { build(session_, seven_kernels(number), "fft"); });
    sample("build_535_new", 3, [&] { build(session_, many_kernels(535, fresh_number()), "k534"); });
    run_children(number);
  }

 private:
  template <typename Act>
  void sample(const std::string& name, int times, const Act& act) {
    if (!report_.wants(name)) return;
    std::vector<double> samples;
    for (int i = 0; i < times; ++i) {
      const Clock::time_point start = Clock::now();
      act();
      samples.push_back(since(start));
    }
    report_.add(name, bench::summarize(samples));
  }

  void run_children(const std::string& number) {
    if (!report_.wants("new_process")) return;
    std::vector<double> platforms, contexts, builds, resident;
    for (int i = 0; i < 7; ++i) {
      const Child child = run_anew(options_.device, number);
      platforms.push_back(child.platforms);
      contexts.push_back(child.context);
      builds.push_back(child.build);
      resident.push_back(child.resident);
    }
    report_.add("new_process_platforms", bench::summarize(platforms));
    report_.add("new_process_context", bench::summarize(contexts));
    report_.add("new_process_build_7_again", bench::summarize(builds));
    report_.add_value("new_process_resident", bench::summarize(resident).median, "MiB");
  }

  bench::Options options_;
  client::Session session_;
  bench::Report report_;
};

}  // namespace

int main(int count, char** words) {
  const bool is_child = count == 4 && std::strcmp(words[1], "--child") == 0;
  if (!is_child) return bench::run_main<BuildTime>("build_time", count, words);
  return bench::run_telling("build_time", [&] { return run_child(words[3], words[2]); });
}
