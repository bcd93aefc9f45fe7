// SPDX-License-Identifier: Apache-2.0
// Starts the other processes, periodically pauses the long-running ones to measure them, kills some and waits for others to end. Finally
// reports the work done and whether memory has grown. It does not call OpenCL itself.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <thread>

#include "soak/child.h"
#include "soak/random.h"
#include "soak/role.h"
#include "soak/trend.h"
#include "support/device_memory.h"
#include "support/process_memory.h"
#include "support/sanitized.h"

namespace soak {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The longest time for a process to pause or to end: on a busy machine, during builds.
constexpr seconds kPatience(test::kSanitized ? 600 : 120);
// The largest growth of a process's memory from the end of the warm-up to the end of the run, by a line through all samples, of memory
// allocated by malloc and of resident memory. A GPU's driver allocates in units of megabytes.
constexpr double kMostAllocated = 2 << 10, kMostResident = 8 << 10, kMostOnDevice = 16 << 10;  // KiB
// In addition, in-memory program caches take hours to reach their limits, and an idle device's pool keeps some memory, which on the CPU
// device is the process's own.
constexpr double kMostInCaches = 80 << 10, kMostInPool = 32 << 10;  // KiB
constexpr double kMostInDeviceCaches = 32 << 10;  // KiB: recent executables, for some minutes
// NVIDIA's PTX compiler library never frees 288 bytes of each thread that has used it, and each compilation has a thread of its own. A
// process that builds new programs makes some ten a second.
constexpr double kLostByPtxCompiler = 4;  // KiB a second
constexpr int kDevices = 2;               // the most that a process has
// The allowed increase of descriptors and threads since the process's first pause.
constexpr double kMostDescriptors = 8, kMostThreads = 16;

double entries_of(pid_t process, const char* folder) {
  std::error_code error;
  const std::filesystem::directory_iterator all("/proc/" + std::to_string(process) + '/' + folder, error);
  return error ? 0 : static_cast<double>(std::distance(begin(all), end(all)));
}

bool is_on_gpu() {
  const auto names = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value ? std::string(value) : std::string();
  };
  return names("CLCUDA_DEVICES").find("cpu") == std::string::npos && names("CLCUDA_TEST_DEVICE") != "cpu";
}

// Null without a GPU.
std::unique_ptr<test::DeviceMemory> known_device_memory() {
  auto memory = is_on_gpu() ? std::make_unique<test::DeviceMemory>() : nullptr;
  return memory && memory->is_known() ? std::move(memory) : nullptr;
}

// Prints the stacks of its threads, if there is a debugger.
void show_stacks(pid_t process) {
  const std::string command =
      "gdb -p " + std::to_string(process) + " -batch -ex 'thread apply all bt 25' >&2";
  if (std::system("command -v gdb >/dev/null") == 0) (void)!std::system(command.c_str());
}

// A long-running process and its samples.
struct Lasting {
  std::string name;
  bool has_caches;
  std::unique_ptr<Child> child;
  std::vector<Sample> allocated, resident, descriptors, threads;
  std::vector<Sample> on_device;  // empty if it is not reported
  // Of each sample.
  std::vector<std::map<std::string, long>> resident_by_kind;
};

class TemporaryFolder {
 public:
  TemporaryFolder() {
    if (!mkdtemp(path_.data())) std::abort();
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = (std::filesystem::temp_directory_path() / "soak_XXXXXX").string();
};

class Supervisor {
 public:
  int run() {
    std::printf("soak: %u s, seed %llu\n", role().seconds, static_cast<unsigned long long>(role().seed));
    std::fflush(stdout);
    start_lasting();
    const auto end = begin_ + seconds(role().seconds);
    auto next_rest = begin_ + rest_interval();
    while (!failed_ && Clock::now() < end) {
      watch();
      if (Clock::now() < next_rest) continue;
      rest();
      next_rest = Clock::now() + rest_interval();
    }
    if (!failed_) rest();
    finish();
    report();
    return failed_ ? 1 : 0;
  }

 private:
  // About ten pauses in the shortest run, a hundred in a long one.
  static milliseconds rest_interval() {
    return milliseconds(std::clamp(10 * role().seconds, 1500u, 30'000u));
  }
  // Devices free unused memory when they have been idle for three seconds.
  static milliseconds settling_time() { return milliseconds(role().seconds < 120 ? 500 : 4000); }
  double seconds_so_far() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  void fail(const std::string& why) {
    std::printf("soak: FAILED after %.0f s: %s\n", seconds_so_far(), why.c_str());
    std::fflush(stdout);
    failed_ = true;
  }

  // Each process has its own seed, which depends on its number.
  std::unique_ptr<Child> start(const char* name, std::vector<std::string> options, bool cached,
                               bool all_devices) {
    for (const std::string& word :
         {std::string("--role"), std::string(name), std::string("--seed"),
          std::to_string(mixed(role().seed, started_++)), std::string("--leak"), std::to_string(role().leak)})
      options.push_back(word);
    std::map<std::string, std::string> environment{{"CLCUDA_CACHE", cached ? "1" : "0"},
                                                   {"CLCUDA_CACHE_DIR", cache_.path()}};
    // Log errors of the library, such as a lost device and its cause. Only the role `lose` is expected to lose one.
    if (!std::getenv("CLCUDA_LOG") && std::string_view(name) != "lose") environment["CLCUDA_LOG"] = "error";
    if (!device_memory_ && all_devices) environment["CLCUDA_DEVICES"] = "cpu,cpu";
    if (std::ranges::find(options, "calls") != options.end()) environment[kHasRacesOfItsOwn] = "1";
    return std::make_unique<Child>(Child::Start{std::move(options), std::move(environment)});
  }
  // Half of these processes use the program cache and recurring programs, the others use no cache and only new programs.
  void start_lasting() {
    const std::vector<std::string> threads = {"--threads", std::to_string(role().threads)};
    for (unsigned i = 0; i < role().processes; ++i) {
      std::vector<std::string> options = threads;
      if (i % 2 == 0) options.emplace_back("--repeats-programs");
      lasting_.push_back({i % 2 ? "new programs" : "cached programs", i % 2 == 0,
                          start("work", options, i % 2 == 0, i % 2 != 0)});
    }
    lasting_.push_back(
        {"random calls", true, start("work", {"--threads", "1", "--episode", "calls"}, true, false)});
  }

  // Reads messages, and watches the short-lived processes.
  void watch() {
    std::vector<pollfd> links;
    for (const Lasting& each : lasting_) links.push_back({each.child->descriptor(), POLLIN, 0});
    poll(links.data(), links.size(), 20);
    for (Lasting& each : lasting_) {
      each.child->listen();
      if (each.child->take(kFailed)) return fail("a check of the process with " + each.name);
      if (const auto code = each.child->exit_code())
        return fail("the process with " + each.name + " ended with " + std::to_string(*code));
    }
    watch_victim();
    watch_short();
  }
  // A process that is killed at any time, also while it writes to the program cache that the others use.
  void watch_victim() {
    if (!victim_) {
      victim_ = start("work", {"--threads", "2", "--repeats-programs"}, true, false);
      victim_end_ = Clock::now() + milliseconds(30 + below(chance(50) ? 500 : 4000));
      return;
    }
    victim_->listen();
    if (victim_->take(kFailed)) return fail("a check of a process that was to be killed");
    if (victim_->exit_code()) return fail("a process ended before it was killed");
    if (Clock::now() >= victim_end_) kill_victim();
  }
  void kill_victim() {
    if (!victim_) return;
    victim_->kill();
    ++kills_;
    add(victim_->counts());
    victim_.reset();
  }
  // One process at a time that loses its device or exits with commands in flight.
  void watch_short() {
    if (!short_) {
      losing_ = !losing_;
      short_ = start(losing_ ? "lose" : "leave", {}, true, chance(50));
      return;
    }
    const auto code = short_->exit_code();
    const std::string what = losing_ ? "a process that lost its device" : "a process that ended early";
    if (code && *code != 0) return fail(what + ": exit code " + std::to_string(*code));
    if (!code && Clock::now() - short_->started() > kPatience) return fail(what + " does not end");
    if (!code) return;
    if (!losing_) ++early_ends_;
    add(short_->counts());
    short_.reset();
  }
  void add(const Counts& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts_[i] += counts[i];
  }

  // Pauses all processes and measures their memory.
  void rest() {
    kill_victim();
    while (short_ && !failed_) {
      std::this_thread::sleep_for(milliseconds(5));
      watch_short();
    }
    if (failed_ || !ask_all(Order::rest, kRested)) return;
    std::this_thread::sleep_for(settling_time());
    if (!ask_all(Order::measure, kMeasured)) return;
    for (Lasting& each : lasting_) each.child->order(Order::go_on);
  }
  bool ask_all(Order order, const char* answer) {
    for (const Lasting& each : lasting_) each.child->order(order);
    for (Lasting& each : lasting_)
      if (!wait_for(each, answer)) return false;
    if (order == Order::measure && device_memory_) {
      std::printf("%7.0f s  %-16s %8ld KiB used by all\n", seconds_so_far(), "device",
                  device_memory_->used_kib());
      std::fflush(stdout);
    }
    return true;
  }
  bool wait_for(Lasting& process, const char* answer) {
    Child& child = *process.child;
    for (const auto end = Clock::now() + kPatience; Clock::now() < end;) {
      child.listen();
      if (const auto number = child.take(answer)) {
        if (answer == kMeasured) take_samples(process, *number);
        return true;
      }
      if (const auto code = child.exit_code()) {
        fail("the process with " + process.name + " ended with " + std::to_string(*code));
        return false;
      }
      std::this_thread::sleep_for(milliseconds(2));
    }
    fail("the process with " + process.name + " hangs");
    show_stacks(child.id());
    return false;
  }
  void take_samples(Lasting& process, long allocated) const {
    const double now = seconds_so_far();
    const pid_t id = process.child->id();
    process.allocated.push_back({now, static_cast<double>(allocated)});
    process.resident.push_back({now, static_cast<double>(test::resident_kib(std::to_string(id)))});
    process.resident_by_kind.push_back(test::resident_by_kind(std::to_string(id)));
    process.descriptors.push_back({now, entries_of(id, "fd")});
    process.threads.push_back({now, entries_of(id, "task")});
    const long on_device = device_memory_ ? device_memory_->used_by_kib(id) : -1;
    if (on_device >= 0) process.on_device.push_back({now, static_cast<double>(on_device)});
    std::printf(
        "%7.0f s  %-16s %8.0f KiB allocated, %8.0f resident, %8ld on the device, %4.0f descriptors, %4.0f "
        "threads\n",
        now, process.name.c_str(), process.allocated.back().value, process.resident.back().value, on_device,
        process.descriptors.back().value, process.threads.back().value);
    std::fflush(stdout);
  }

  void finish() {
    victim_.reset();
    short_.reset();
    for (Lasting& each : lasting_) {
      const long before = device_memory_ ? device_memory_->used_kib() : 0;
      each.child->order(failed_ ? Order::rest : Order::end);
      const auto end = Clock::now() + kPatience;
      while (!failed_ && !each.child->exit_code()) {
        if (Clock::now() > end) fail("the process with " + each.name + " does not end");
        std::this_thread::sleep_for(milliseconds(2));
      }
      if (!failed_ && each.child->exit_code() != 0)
        fail("the process with " + each.name + " ended with " + std::to_string(*each.child->exit_code()));
      each.child->kill();
      add(each.child->counts());
      if (device_memory_)
        std::printf("  %-16s gave %ld KiB of the device back\n", each.name.c_str(),
                    before - device_memory_->used_kib());
    }
  }

  // The first third is warm-up, in which caches and pools grow.
  static std::vector<Sample> without_warm_up(const std::vector<Sample>& all) {
    return {all.begin() + static_cast<std::ptrdiff_t>(all.size() / 3), all.end()};
  }
  // Pools need minutes to reach their sizes: a short run, such as the test, only checks results, descriptors and threads.
  static double most_memory(double most) {
    return role().seconds < 300 ? std::numeric_limits<double>::infinity() : most;
  }
  void judge(const std::string& what, const std::vector<Sample>& all, double most) {
    const std::vector<Sample> samples = without_warm_up(all);
    if (samples.size() < 3) return fail("too few samples of " + what);
    const double more = growth(samples);
    std::printf(
        "  %-32s %9.0f at first, %9.0f after the warm-up, %9.0f at the end; trend %+8.0f, at most %.0f\n",
        what.c_str(), all.front().value, samples.front().value, all.back().value, more, most);
    if (more > most && !test::kSanitized) fail(what + " grows");
  }
  // Where resident memory has grown.
  static void print_kinds(const Lasting& process) {
    const auto& samples = process.resident_by_kind;
    for (const auto& [kind, kib] : samples.back()) {
      const auto& then = samples[samples.size() / 3];
      const auto before = then.find(kind);
      std::printf("  %-32s %9ld after the warm-up, %9ld at the end\n",
                  (process.name + ": " + kind + ", KiB").c_str(), before == then.end() ? 0 : before->second,
                  kib);
    }
  }
  void report() {
    static constexpr const char* kTexts[] = {
#define COUNT(name, text) text,
#include "soak/tally.def"
#undef COUNT
    };
    std::printf("\n");
    for (std::size_t i = 0; i < counts_.size(); ++i)
      std::printf("  %14llu %s\n", static_cast<unsigned long long>(counts_[i]), kTexts[i]);
    std::printf("  %14llu processes killed\n  %14llu processes ended early\n", kills_, early_ends_);
    if (failed_) return;
    for (const Lasting& each : lasting_) {
      const double in_caches = each.has_caches ? kMostInCaches : 0;
      const double in_pools = device_memory_ ? 0 : kDevices * kMostInPool;
      const double lost = device_memory_ ? kLostByPtxCompiler * role().seconds : 0;
      judge(each.name + ", allocated KiB", each.allocated, most_memory(kMostAllocated + in_caches + lost));
      judge(each.name + ", resident KiB", each.resident, most_memory(kMostResident + in_caches + in_pools));
      print_kinds(each);
      if (!each.on_device.empty())
        judge(each.name + ", device KiB", each.on_device,
              most_memory(kMostOnDevice + (each.has_caches ? kMostInDeviceCaches : 0)));
      else if (device_memory_)
        std::printf("  %-32s the driver does not say: NOT CHECKED\n", (each.name + ", device KiB").c_str());
      judge(each.name + ", descriptors", each.descriptors, kMostDescriptors);
      judge(each.name + ", threads", each.threads, kMostThreads);
    }
    // During the test, which is shorter, other tests may use the device, too.
    for (const Count what : {Count::commands, Count::builds, Count::calls, Count::faults})
      if (counts_[static_cast<std::size_t>(what)] == 0)
        fail(std::string("none: ") + kTexts[static_cast<std::size_t>(what)]);
    std::printf("soak: %s, seed %llu\n", failed_ ? "FAILED" : "passed",
                static_cast<unsigned long long>(role().seed));
  }

  const Clock::time_point begin_ = Clock::now();
  const TemporaryFolder cache_;
  std::uint64_t started_ = 0;
  std::list<Lasting> lasting_;
  std::unique_ptr<Child> victim_, short_;
  Clock::time_point victim_end_;
  bool losing_ = false, failed_ = false;
  unsigned long long kills_ = 0, early_ends_ = 0;
  Counts counts_{};
  std::unique_ptr<test::DeviceMemory> device_memory_ = known_device_memory();
};

}  // namespace

int supervise() {
  const test::RandomEngineOfThread own(role().seed);
  return Supervisor().run();
}

}  // namespace soak
