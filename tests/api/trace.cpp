// SPDX-License-Identifier: Apache-2.0
// CLCUDA_TRACE: the timeline that a process writes. Disabled tests of this program are run in their own processes with the variable set;
// the other tests read the files.
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <latch>
#include <set>
#include <thread>

#include "support/opencl.h"
#include "support/own_process.h"
#include "support/spin.h"
#include "support/timeline.h"

namespace {

using test::Timeline;

constexpr std::size_t kBytes = 1 << 20;
constexpr const char* kSource =
    "kernel void increment(global int* values) { values[get_global_id(0)] += 1; }\n"
    "kernel void twice(global int* values) { values[get_global_id(0)] *= 2; }\n";

// The processes that are traced.
class Traced : public test::OpenCL {
 protected:
  void SetUp() override {
    OpenCL::SetUp();
    program = build(kSource);
    increment = make_kernel(program, "increment");
    twice = make_kernel(program, "twice");
    buffer = make_buffer(kBytes);
    set_arguments(increment, buffer);
    set_arguments(twice, buffer);
  }
  test::Event launch(cl_command_queue where, cl_kernel kernel, std::vector<cl_event> waits = {}) const {
    test::Event event;
    const std::size_t global[] = {64, 4}, local[] = {16, 2};
    CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(where, kernel, 2, nullptr, global, local,
                                                 static_cast<cl_uint>(waits.size()),
                                                 waits.empty() ? nullptr : waits.data(), event.out()));
    return event;
  }
  void launch_without_event(cl_kernel kernel) const {
    const std::size_t global = 256;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  }
  // A call that takes almost no time.
  void ask_again() const { clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, 0, nullptr, nullptr); }

  test::Program program;
  test::Kernel increment, twice;
  test::Buffer buffer;
};

// Writes the profiling times of a command to a file, for the test that reads the timeline.
void write_times(const std::string& path, cl_event event) {
  cl_ulong began = 0, ended = 0;
  CL_EXPECT(CL_SUCCESS,
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof began, &began, nullptr));
  CL_EXPECT(CL_SUCCESS,
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, nullptr));
  std::ofstream(path) << began << ' ' << ended;
}

// Commands of each kind: transfers with and without an event, launches, a marker, a transfer held by a user event, two queues.
TEST_F(Traced, DISABLED_Commands) {
  const test::Queue profiled = make_queue(CL_QUEUE_PROFILING_ENABLE);
  const test::Queue unordered = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  std::vector<cl_int> values(kBytes / sizeof(cl_int), 1);
  CL_OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kBytes, values.data(), 0, nullptr, nullptr));
  launch_without_event(increment);
  CL_OK(clFinish(queue));
  const test::Event first = launch(profiled, increment);
  const test::Event second = launch(unordered, twice, {first});
  const test::Event third = launch(unordered, increment, {first, second});
  const test::Event gate = make_user_event();
  test::Event read;
  CL_OK(clEnqueueReadBuffer(unordered, buffer, CL_FALSE, 0, 4096, values.data(), 1, gate.list(), read.out()));
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clWaitForEvents(1, read.list()));
  CL_OK(clWaitForEvents(1, third.list()));
  CL_OK(clFinish(queue));
  CL_EXPECT(CL_INVALID_VALUE, clGetEventInfo(first, 0x0777, 0, nullptr, nullptr));
  write_times(std::getenv("CLCUDA_TRACE") + std::string(".times"), first);
}

TEST_F(Traced, DISABLED_Build) {}

// Enough calls to fill a thread's buffer many times.
constexpr int kManyCalls = 100'000, kManyLaunches = 20'000;
TEST_F(Traced, DISABLED_ManyCalls) {
  for (int i = 0; i < kManyCalls; ++i) ask_again();
}

TEST_F(Traced, DISABLED_ManyLaunches) {
  for (int i = 0; i < kManyLaunches; ++i) launch_without_event(increment);
  CL_OK(clFinish(queue));
}

constexpr int kThreads = 300;
TEST_F(Traced, DISABLED_Threads) {
  for (int i = 0; i < kThreads; ++i) std::thread([this] { CL_EXPECT(CL_SUCCESS, clFlush(queue)); }).join();
}
// More threads at once than there are buffers for.
TEST_F(Traced, DISABLED_ManyThreads) {
  std::vector<std::thread> threads;
  std::latch all(kThreads);
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      CL_EXPECT(CL_SUCCESS, clFlush(queue));
      all.arrive_and_wait();
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(Traced, DISABLED_IsKilled) {
  launch_without_event(increment);
  CL_OK(clFinish(queue));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  raise(SIGKILL);
}

TEST_F(Traced, DISABLED_IsKilledInACall) {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    raise(SIGKILL);
  }).detach();
  const test::Event never = make_user_event();
  clWaitForEvents(1, never.list());
}

TEST_F(Traced, DISABLED_WaitsLong) {
  const test::Event event = make_user_event();
  std::thread setter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    CL_EXPECT(CL_SUCCESS, clSetUserEventStatus(event, CL_COMPLETE));
  });
  CL_OK(clWaitForEvents(1, event.list()));
  setter.join();
}

TEST_F(Traced, DISABLED_Forks) {
  const pid_t child = fork();
  if (child == 0) std::exit(0);
  EXPECT_EQ(test::exit_code_of(child, std::chrono::seconds(20)), 0);
  CL_OK(clFlush(queue));
}

// Ends before its child, whose number is in a file then.
TEST_F(Traced, DISABLED_LeavesAChild) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(100);
    for (;;) pause();
  }
  std::ofstream(std::getenv("CLCUDA_TRACE") + std::string(".child")) << child;
}

// Names of at most 15 bytes, which are not all UTF-8.
const std::pair<const char*, const char*> kThreadNames[] = {
    {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82"},
    {"a\"\\\x01 \xe2\x82", R"(a\u0022\u005c\u0001 \ufffd\ufffd)"},  // cut off
    {"\xc3 \x80 \xff", R"(\ufffd \ufffd \ufffd)"},
    {"\xc0\xaf \xe0\x9f\xbf \xf0\x8f\xbf\xbf",
     R"(\ufffd\ufffd \ufffd\ufffd\ufffd \ufffd\ufffd\ufffd\ufffd)"},      // too long
    {"\xed\xa0\x80 \xed\x9f\xbf", "\\ufffd\\ufffd\\ufffd \xed\x9f\xbf"},  // a surrogate
    {"\xf4\x90\x80\x80 \xf4\x8f\xbf\xbf",
     "\\ufffd\\ufffd\\ufffd\\ufffd \xf4\x8f\xbf\xbf"},  // beyond the last one
};
TEST_F(Traced, DISABLED_ThreadNames) {
  for (const auto& names : kThreadNames)
    std::thread([&] {
      EXPECT_EQ(pthread_setname_np(pthread_self(), names.first), 0);
      CL_EXPECT(CL_SUCCESS, clFlush(queue));
    }).join();
}

TEST_F(Traced, DISABLED_FillsTheDisk) {
  const rlimit limit{1 << 20, 1 << 20};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  for (int i = 0; i < 50'000; ++i) ask_again();
  CL_OK(clFinish(queue));
}

class TracedSpin : public test::SpinTest {};

TEST_F(TracedSpin, DISABLED_IsKilledInAKernel) {
  const test::Event endless = spin_for(queue, 100'000);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  raise(SIGKILL);
}

TEST_F(TracedSpin, DISABLED_RunsLong) {
  const test::Event first = spin_for(queue, 400);
  const std::uint32_t value = 0;
  CL_OK(clEnqueueFillBuffer(queue, spin_memory, &value, sizeof value, 0, sizeof value, 1, first.list(),
                            nullptr));
  CL_OK(clFinish(queue));
}

TEST_F(TracedSpin, DISABLED_ReadsBehindAKernel) {
  const test::Event first = spin_for(queue, 400);
  std::uint32_t value = 0;
  CL_OK(clEnqueueReadBuffer(queue, spin_memory, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr));
}

// A folder for the files of a test, and the processes that write them.
class Trace : public testing::Test {
 protected:
  // In processes that are forked, killed or end early, memory that is still held is not a leak.
  static void SetUpTestSuite() { test::add_options("ASAN_OPTIONS", "detect_leaks=0"); }
  void SetUp() override {
    folder_ = testing::TempDir() + "trace_XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
  }
  void TearDown() override {
    unsetenv("CLCUDA_TRACE");
    std::filesystem::remove_all(folder_);
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  // Runs one of the tests above; returns its exit code, and stores its output.
  int run(const std::string& name, const std::string& file) {
    setenv("CLCUDA_TRACE", file.c_str(), 1);
    setenv("CLCUDA_TRACE_ALL", leaves_out_nothing_ ? "1" : "0", 1);
    setenv("CLCUDA_LOG", "warning", 1);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, path("log").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const pid_t child = test::start_test(test::kThisProgram, "Traced*.DISABLED_" + name, &actions);
    posix_spawn_file_actions_destroy(&actions);
    for (const char* variable : {"CLCUDA_LOG", "CLCUDA_TRACE_ALL"}) unsetenv(variable);
    process_ = std::to_string(child);
    return test::exit_code_of(child, std::chrono::seconds(100));
  }
  Timeline timeline_of(const std::string& name) {
    EXPECT_EQ(run(name, path("trace.json")), 0) << log();
    Timeline timeline = Timeline::read(path("trace.json"));
    timeline.check();
    return timeline;
  }
  std::string log() const {
    std::ifstream file(path("log"));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      if (entry.path().filename() != "log") names.insert(entry.path().filename());
    return names;
  }
  bool is_of_process(const Timeline::Slice& slice) const { return slice.track.first == process_; }

  std::string folder_, process_;
  bool leaves_out_nothing_ = false;
};

TEST_F(Trace, HasEachCall) {
  const Timeline timeline = timeline_of("Commands");
  const std::pair<const char*, std::size_t> expected[] = {
      {"clCreateContext", 1},        {"clCreateCommandQueueWithProperties", 3},
      {"clBuildProgram", 1},         {"clCreateKernel", 2},
      {"clCreateBuffer", 1},         {"clEnqueueWriteBuffer", 1},
      {"clEnqueueReadBuffer", 1},    {"clEnqueueNDRangeKernel", 4},
      {"clCreateUserEvent", 1},      {"clSetUserEventStatus", 1},
      {"clWaitForEvents", 2},        {"clGetEventInfo", 1},
      {"clGetEventProfilingInfo", 2}};
  for (const auto& [function, count] : expected) {
    const auto slices = timeline.slices(function);
    EXPECT_EQ(slices.size(), count) << function;
    for (const auto& slice : slices) {
      EXPECT_TRUE(is_of_process(slice)) << function;
      EXPECT_EQ(slice.category, "api");
    }
  }
}

TEST_F(Trace, HasTheResultsOfCallsThatFail) {
  const Timeline timeline = timeline_of("Commands");
  const auto refused = timeline.slices("clGetEventInfo");
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].argument("result").text, std::to_string(CL_INVALID_VALUE));
  EXPECT_FALSE(timeline.slices("clFinish").at(0).event.has("args"));
}

TEST_F(Trace, HasTheCommandsOfEachQueue) {
  const Timeline timeline = timeline_of("Commands");
  std::map<std::string, std::multiset<std::string>> queues;
  for (const auto& slice : timeline.slices()) {
    if (slice.category != "kernel" && slice.category != "command") continue;
    EXPECT_FALSE(is_of_process(slice));
    queues[timeline.thread_name(slice.track)].insert(slice.name);
  }
  EXPECT_EQ(queues["queue 1"].count("write buffer"), 1u);
  EXPECT_EQ(queues["queue 1"].count("increment"), 1u);
  EXPECT_EQ(queues["queue 2"], std::multiset<std::string>({"increment"}));
  EXPECT_EQ(queues["queue 3, out of order"],
            std::multiset<std::string>({"increment", "twice", "read buffer"}));
}

TEST_F(Trace, NamesTheDevice) {
  const Timeline timeline = timeline_of("Commands");
  char name[256] = "";
  clGetDeviceInfo(test::devices().front(), CL_DEVICE_NAME, sizeof name, name, nullptr);
  EXPECT_EQ(timeline.process_name(timeline.slices("twice").at(0).track), name);
}

TEST_F(Trace, HasSizes) {
  const Timeline timeline = timeline_of("Commands");
  EXPECT_EQ(timeline.slices("write buffer").at(0).argument("bytes").text, std::to_string(kBytes));
  EXPECT_EQ(timeline.slices("read buffer").at(0).argument("bytes").text, "4096");
  const auto launch = timeline.slices("twice").at(0);
  EXPECT_EQ(launch.argument("global size").text, "64 x 4");
  EXPECT_EQ(launch.argument("local size").text, "16 x 2");
}

// The times in the timeline equal the profiling times.
TEST_F(Trace, HasTheTimesOfProfiling) {
  const Timeline timeline = timeline_of("Commands");
  std::uint64_t began = 0, ended = 0;
  std::ifstream(path("trace.json.times")) >> began >> ended;
  const auto slices = timeline.slices_if([&](const Timeline::Slice& slice) {
    return slice.name == "increment" && timeline.thread_name(slice.track) == "queue 2";
  });
  ASSERT_EQ(slices.size(), 1u);
  // Within the synchronization error of a GPU's clock.
  EXPECT_NEAR(static_cast<double>(slices[0].begin), static_cast<double>(began), 20e3);
  EXPECT_NEAR(static_cast<double>(slices[0].end), static_cast<double>(ended), 20e3);
}

// A flow event leads from a call's slice to its command's slice.
TEST_F(Trace, LeadsFromCallsToCommands) {
  const Timeline timeline = timeline_of("Commands");
  for (const auto& slice : timeline.slices()) {
    if (slice.category != "kernel" && slice.category != "command") continue;
    const Timeline::Slice* call = timeline.cause_of(slice);
    ASSERT_NE(call, nullptr) << slice.name;
    EXPECT_LE(call->begin, slice.begin);
    if (call->name == "enqueued") continue;  // of a call that took long
    if (slice.category == "kernel") EXPECT_EQ(call->name, "clEnqueueNDRangeKernel");
    if (slice.name == "write buffer") EXPECT_EQ(call->name, "clEnqueueWriteBuffer");
  }
}

TEST_F(Trace, HasAnArrowForEachEventOfAWaitList) {
  const Timeline timeline = timeline_of("Commands");
  std::multiset<std::string> arrows;
  for (const auto& arrow : timeline.arrows())
    arrows.insert(arrow.from.name + " " + timeline.thread_name(arrow.from.track).substr(0, 7) + " > " +
                  arrow.to.name);
  const std::string setter =
      "clSetUserEventStatus " +
      timeline.thread_name(timeline.slices("clSetUserEventStatus").at(0).track).substr(0, 7);
  EXPECT_EQ(arrows, std::multiset<std::string>({"increment queue 2 > twice", "increment queue 2 > increment",
                                                "twice queue 3 > increment", setter + " > read buffer"}));
}

TEST_F(Trace, HasTheStagesOfABuild) {
  const Timeline timeline = timeline_of("Build");
  const Timeline::Slice call = timeline.slices("clBuildProgram").at(0);
  for (const char* stage :
       {"program", "front end", "linking", "optimization", "code generation", "machine code", "loading"}) {
    const auto slices = timeline.slices(stage);
    EXPECT_GE(slices.size(), 1u) << stage;
    for (const auto& slice : slices) {
      EXPECT_EQ(slice.category, "build");
      EXPECT_LE(call.begin, slice.begin) << stage;
      EXPECT_LE(slice.end, call.end) << stage;
    }
  }
}

TEST_F(Trace, CountsTheCallsThatItLeavesOut) {
  const Timeline timeline = timeline_of("ManyCalls");
  const std::size_t seen = timeline.slices("clGetContextInfo").size();
  EXPECT_GE(seen + timeline.dropped(), std::size_t{kManyCalls});
  EXPECT_GE(seen, std::size_t{2000});
  EXPECT_LT(seen, std::size_t{kManyCalls});
  EXPECT_NE(log().find("events are not in the timeline"), std::string::npos);
}

TEST_F(Trace, HasAllCallsIfAskedTo) {
  leaves_out_nothing_ = true;
  const Timeline timeline = timeline_of("ManyCalls");
  EXPECT_EQ(timeline.slices("clGetContextInfo").size(), std::size_t{kManyCalls});
  EXPECT_EQ(timeline.dropped(), 0u);
}

TEST_F(Trace, HasSomeOfTooManyThreads) {
  const Timeline timeline = timeline_of("ManyThreads");
  const std::size_t seen = timeline.slices("clFlush").size();
  EXPECT_GE(seen, 200u);
  EXPECT_GE(seen + timeline.dropped(), std::size_t{kThreads});
}

TEST_F(Trace, HasThreadsThatAreGone) {
  leaves_out_nothing_ = true;
  const Timeline timeline = timeline_of("Threads");
  std::set<Timeline::Track> tracks;
  for (const auto& slice : timeline.slices("clFlush")) tracks.insert(slice.track);
  EXPECT_EQ(timeline.slices("clFlush").size(), std::size_t{kThreads});
  EXPECT_GT(tracks.size(), std::size_t{kThreads / 2});  // the system may reuse a thread's number
}

TEST_F(Trace, OutlivesAProcessThatIsKilled) {
  EXPECT_EQ(run("IsKilled", path("trace.json")), 128 + SIGKILL);
  const Timeline timeline = Timeline::read(path("trace.json"), Timeline::Ends::cut);
  timeline.check();
  EXPECT_EQ(timeline.slices("increment").size(), 1u);
  EXPECT_EQ(timeline.slices("clFinish").size(), 1u);
}

TEST_F(Trace, ShowsTheCallThatAProcessWasKilledIn) {
  EXPECT_EQ(run("IsKilledInACall", path("trace.json")), 128 + SIGKILL);
  const Timeline timeline = Timeline::read(path("trace.json"), Timeline::Ends::cut);
  timeline.check();
  const auto waits = timeline.slices("clWaitForEvents");
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_FALSE(waits[0].ended);
}

TEST_F(Trace, ShowsTheKernelThatAProcessWasKilledIn) {
  EXPECT_EQ(run("IsKilledInAKernel", path("trace.json")), 128 + SIGKILL);
  const Timeline timeline = Timeline::read(path("trace.json"), Timeline::Ends::cut);
  timeline.check();
  const auto spins = timeline.slices("spin");
  ASSERT_FALSE(spins.empty());
  EXPECT_FALSE(spins.back().ended);
  EXPECT_EQ(timeline.process_name(spins.back().track), timeline.process_name(spins.front().track));
}

TEST_F(Trace, HasALongKernelOnce) {
  const Timeline timeline = timeline_of("RunsLong");
  const Timeline::Slice spin = timeline.slices("spin").back();
  EXPECT_EQ(spin.event["ph"].text, "B");
  EXPECT_TRUE(spin.ended);
  const Timeline::Slice fill = timeline.slices("fill buffer").back();
  EXPECT_GE(fill.begin, spin.end);
  EXPECT_EQ(fill.track, spin.track);
  ASSERT_EQ(timeline.arrows().size(), 1u);
  EXPECT_EQ(timeline.arrows()[0].from.name, "spin");
  EXPECT_EQ(timeline.arrows()[0].to.name, "fill buffer");
}

TEST_F(Trace, HasALongCallOnce) {
  const Timeline timeline = timeline_of("WaitsLong");
  const auto waits = timeline.slices("clWaitForEvents");
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_TRUE(waits[0].ended);
  EXPECT_GE(waits[0].end - waits[0].begin, 200'000'000u);
  const Timeline::Slice set = timeline.slices("clSetUserEventStatus").at(0);
  EXPECT_LE(set.begin, waits[0].end);
  EXPECT_NE(set.track, waits[0].track);
}

TEST_F(Trace, IsLeftAloneByAChild) {
  EXPECT_EQ(timeline_of("Forks").slices("clFlush").size(), 1u);
  EXPECT_EQ(files(), std::set<std::string>({"trace.json"}));
}

// The child does not keep the file as one that is being written.
TEST_F(Trace, IsReplacedWhileAChildIsAlive) {
  EXPECT_EQ(run("LeavesAChild", path("trace.json")), 0) << log();
  pid_t child = 0;
  std::ifstream(path("trace.json.child")) >> child;
  ASSERT_GT(child, 0);
  std::filesystem::remove(path("trace.json.child"));
  EXPECT_EQ(timeline_of("Commands").slices("increment").size(), 3u);
  EXPECT_EQ(files(), std::set<std::string>({"trace.json", "trace.json.times"}));
  EXPECT_EQ(kill(child, SIGKILL), 0);
}

// JSON is UTF-8. Names of threads may be anything, for example cut by the kernel.
TEST_F(Trace, HasNamesThatAreNotUtf8) {
  timeline_of("ThreadNames");
  std::ifstream file(path("trace.json"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const auto& names : kThreadNames)
    EXPECT_NE(text.find("\"name\":\"" + std::string(names.second)), std::string::npos) << names.second;
}

// The reader of a pipe does not begin before the pipe is full.
TEST_F(Trace, IsWrittenIntoAPipe) {
  leaves_out_nothing_ = true;
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const int end = open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(end, 0);
  std::thread reader([&] {
    constexpr int kPatience = 100'000;
    pollfd filled{end, POLLIN, 0};
    EXPECT_EQ(poll(&filled, 1, kPatience), 1);
    fcntl(end, F_SETFL, 0);
    for (int before = -1, waiting = 0; waiting != before; ioctl(end, FIONREAD, &waiting)) {
      before = waiting;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    std::ofstream copy(path("trace.json"));
    std::array<char, 1 << 16> piece;
    for (ssize_t got; (got = read(end, piece.data(), piece.size())) > 0;) copy.write(piece.data(), got);
  });
  EXPECT_EQ(run("ManyCalls", path("pipe")), 0);
  reader.join();
  close(end);
  EXPECT_EQ(log(), "");
  EXPECT_EQ(Timeline::read(path("trace.json")).slices("clGetContextInfo").size(), std::size_t{kManyCalls});
}

TEST_F(Trace, HasTheProcessInItsName) {
  EXPECT_EQ(run("Build", path("%p.of.%p.json")), 0);
  EXPECT_EQ(files(), std::set<std::string>({process_ + ".of." + process_ + ".json"}));
}

TEST_F(Trace, ReplacesThatOfAProcessThatHasEnded) {
  EXPECT_EQ(timeline_of("Commands").slices("increment").size(), 3u);
  EXPECT_EQ(timeline_of("Build").slices("increment").size(), 0u);
}

TEST_F(Trace, IsNotWrittenOverAnothersThatIsBeingWritten) {
  const int other = open(path("trace.json").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(flock(other, LOCK_EX), 0);
  ASSERT_EQ(write(other, "mine", 4), 4);
  EXPECT_EQ(run("Build", path("trace.json")), 0);
  EXPECT_EQ(files(), std::set<std::string>({"trace.json", "trace." + process_ + ".json"}));
  EXPECT_EQ(std::filesystem::file_size(path("trace.json")), 4u);
  close(other);
  Timeline::read(path("trace." + process_ + ".json")).check();
}

TEST_F(Trace, IsGivenUpWhereNoFileCanBe) {
  EXPECT_EQ(run("Commands", path("nowhere/trace.json")), 0);
  EXPECT_EQ(log(), "clcuda warning: the timeline " + path("nowhere/trace.json") +
                       " cannot be written: open: No such file or directory\n");
}

TEST_F(Trace, IsGivenUpWhereTheDiskIsFull) {
  leaves_out_nothing_ = true;
  EXPECT_EQ(run("FillsTheDisk", path("trace.json")), 0);
  EXPECT_EQ(log(), "clcuda warning: the timeline " + path("trace.json") +
                       " ends, as it cannot be written: write: File too large\n");
  EXPECT_LE(std::filesystem::file_size(path("trace.json")), std::uintmax_t{1} << 20);
}

// Blocking calls that take long are linked with their commands, too.
TEST_F(Trace, LeadsFromALongCallToItsCommand) {
  const Timeline timeline = timeline_of("ReadsBehindAKernel");
  const Timeline::Slice read = timeline.slices("read buffer").back();
  const Timeline::Slice* cause = timeline.cause_of(read);
  ASSERT_NE(cause, nullptr);
  EXPECT_EQ(cause->name, "enqueued");
  const auto calls = timeline.slices("clEnqueueReadBuffer");
  EXPECT_TRUE(calls.back().contains(cause->begin));
  EXPECT_EQ(calls.back().track, cause->track);
}

// The launches appear in order, by their numbers.
TEST_F(Trace, HasAllLaunchesIfAskedTo) {
  leaves_out_nothing_ = true;
  const auto launches = timeline_of("ManyLaunches").slices("increment");
  ASSERT_EQ(launches.size(), std::size_t{kManyLaunches});
  for (std::size_t i = 1; i < launches.size(); ++i) {
    EXPECT_GE(launches[i].begin, launches[i - 1].end);
    EXPECT_EQ(launches[i].argument("command").number(), launches[i - 1].argument("command").number() + 1);
  }
}

TEST_F(Trace, CountsTheLaunchesThatItLeavesOut) {
  const Timeline timeline = timeline_of("ManyLaunches");
  const std::size_t seen = timeline.slices("increment").size();
  EXPECT_GE(seen, std::size_t{1000});
  EXPECT_GE(seen + timeline.dropped(), std::size_t{kManyLaunches});
}

}  // namespace
