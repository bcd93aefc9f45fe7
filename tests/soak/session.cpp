// SPDX-License-Identifier: Apache-2.0
#include "soak/session.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "soak/tally.h"
#include "support/device_info.h"

namespace soak {
namespace {

constexpr std::size_t kMostPending = 8;

// The kernels of all activities that do not build their own.
constexpr const char* kSource = R"(
kernel void add(global uchar* a, uint n, uchar value) {
  const size_t i = get_global_id(0);
  if (i < n) a[i] += value;
}
kernel void spread(global uint* out, uint seed) {
  const size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
               z = get_global_id(2) - get_global_offset(2);
  uint value = seed;
  for (uint d = 0; d < 3; ++d) value = (value ^ (uint)get_global_id(d)) * 16777619u;
  out[(z * get_global_size(1) + y) * get_global_size(0) + x] = value;
}
kernel void reduce(global const uint* in, global uint* out, local uint* scratch) {
  const size_t i = get_local_id(0), count = get_local_size(0);
  scratch[i] = in[get_global_id(0)];
  for (size_t step = count / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < step) scratch[i] += scratch[i + step];
  }
  if (i == 0) out[get_group_id(0)] = scratch[0];
}
kernel void print(uint first) { printf("soak %u\n", first + (uint)get_global_id(0)); }
#ifdef __opencl_c_pipes
kernel void put(write_only pipe uint p, global const uint* in) { write_pipe(p, in + get_global_id(0)); }
kernel void take(read_only pipe uint p, global uint* sum) {
  uint packet = 0;
  if (!read_pipe(p, &packet)) atomic_add(sum, packet);
}
#endif
)";
// A program with device-side enqueue is compiled differently.
constexpr const char* kEnqueueing = R"(
kernel void spawn(global uint* out, uint seed, uint flags) {
  const uint i = get_global_id(0);
  void (^child)(void) = ^{ out[2 * i + get_global_id(0)] = seed * (i + 1) + get_global_id(0); };
  const queue_t queue = get_default_queue();
  if (flags == 0) enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), child);
  else if (flags == 1) enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2), child);
  else enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(2), child);
}
)";

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t size = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  return log;
}

// The sessions whose contexts exist: those that threads use, and those left in flight. The queues of each have streams, whose memory a
// GPU's driver keeps.
std::atomic<int> existing = 0;

void wait_until_few_are_left() {
  constexpr int kMostExisting = 12;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  // Read once for each decision: another thread may create a context meanwhile.
  while (existing >= kMostExisting) {
    if (std::chrono::steady_clock::now() > end) {
      ADD_FAILURE() << "contexts that were left in flight stay";
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void note_end_of(cl_context context) {
  const auto ended = [](cl_context, void*) { --existing; };
  if (const cl_int error = clSetContextDestructorCallback(context, ended, nullptr); error == CL_SUCCESS)
    ++existing;
  else
    CL_EXPECT(CL_SUCCESS, error);
}

}  // namespace

Session::Session() {
  choose_devices();
  cl_int error = CL_SUCCESS;
  wait_until_few_are_left();
  context_ = clCreateContext(nullptr, static_cast<cl_uint>(devices_.size()), devices_.data(), nullptr,
                             nullptr, &error);
  CL_EXPECT(CL_SUCCESS, error);
  note_end_of(context_);
  count(Count::contexts);
  make_queues();
  build_kernels();
}

Session::~Session() {
  if (!pending_.empty()) count(Count::left_in_flight);
  for (auto& each : pending_) Pending::leave(std::move(each));
}

// One device, all devices, or sub-devices of the first.
void Session::choose_devices() {
  const std::vector<cl_device_id>& all = test::devices();
  devices_ = chance(50) ? all : std::vector{any_of(all)};
  const auto most = test::device_info<cl_uint>(all.front(), CL_DEVICE_PARTITION_MAX_SUB_DEVICES);
  if (most < 2 || !chance(20)) return;
  const auto units = test::device_info<cl_uint>(all.front(), CL_DEVICE_MAX_COMPUTE_UNITS);
  const cl_device_partition_property list[] = {CL_DEVICE_PARTITION_EQUALLY,
                                               static_cast<cl_device_partition_property>(units / 2), 0};
  cl_uint number = 0;
  CL_EXPECT(CL_SUCCESS, clCreateSubDevices(all.front(), list, 0, nullptr, &number));
  devices_.resize(number);
  CL_EXPECT(CL_SUCCESS, clCreateSubDevices(all.front(), list, number, devices_.data(), nullptr));
  for (const cl_device_id each : devices_) parts_.emplace_back(each);
}

void Session::make_queues() {
  const auto make = [this](cl_device_id device, cl_command_queue_properties properties) -> test::Queue {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = CL_SUCCESS;
    const cl_command_queue made = clCreateCommandQueueWithProperties(context_, device, list, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  };
  const auto enqueues = test::device_info<cl_device_device_enqueue_capabilities>(
      devices_.front(), CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES);
  if ((enqueues & CL_DEVICE_QUEUE_SUPPORTED) && chance(25))
    device_queue_ = make(devices_.front(), CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
                                               CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (const cl_device_id device : devices_) {
    queues_.push_back(make(device, chance(25) ? CL_QUEUE_PROFILING_ENABLE : 0));
    if (chance(60)) queues_.push_back(make(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
    if (chance(20))
      queues_.push_back(make(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE));
  }
}

void Session::build_kernels() {
  const std::string source = has_device_queue() ? std::string(kSource) + kEnqueueing : kSource;
  const char* text = source.c_str();
  cl_int error = CL_SUCCESS;
  program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, &error);
  CL_EXPECT(CL_SUCCESS, error);
  EXPECT_EQ("CL_SUCCESS",
            test::error_name(clBuildProgram(program_, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr)))
      << build_log(program_, devices_.front());
  count(Count::builds);
}

test::Kernel Session::kernel(const char* name) const {
  cl_int error = CL_SUCCESS;
  const cl_kernel made = clCreateKernel(program_, name, &error);
  CL_EXPECT(CL_SUCCESS, error);
  return made;
}

test::Buffer Session::buffer(std::size_t size, cl_mem_flags flags, void* host) const {
  cl_int error = CL_SUCCESS;
  const cl_mem made = clCreateBuffer(context_, flags, size, host, &error);
  CL_EXPECT(CL_SUCCESS, error);
  if (chance(20)) notify(made);
  return made;
}

void Session::step() {
  static constexpr Activity kActivities[] = {
      transfer,           transfer,          transfer,          launch, launch, reduce, share_memory,
      use_unified_memory, pass_through_pipe, enqueue_on_device, print,  build};
  if (pending_.size() >= kMostPending || (!pending_.empty() && chance(30))) return end_one();
  if (auto begun = any_of(kActivities)(*this)) pending_.push_back(std::move(begun));
}

void Session::end_one() {
  std::swap(any_of(pending_), pending_.back());
  std::unique_ptr<Pending> ending = std::move(pending_.back());
  pending_.pop_back();
  if (chance(15)) return Pending::leave(std::move(ending));
  ending->wait(queues_);
  ending->check();
}

void Session::settle() {
  while (!pending_.empty()) end_one();
}

Chain::Chain(Session& session) : session_(session) {
  if (!chance(30)) return;
  fails_ = chance(10);
  cl_int error = CL_SUCCESS;
  last_ = clCreateUserEvent(session.context(), &error);
  CL_EXPECT(CL_SUCCESS, error);
  session.setter().end(last_, fails_ ? -1 - static_cast<cl_int>(below(100)) : CL_COMPLETE,
                       std::chrono::microseconds(below(2000)));
}

// Before a command of another queue waits for this one, the queue must be flushed (section 5.15).
void Chain::follow(const test::Queue& queue, test::Event event) {
  CL_EXPECT(CL_SUCCESS, clFlush(queue));
  count(fails_ ? Count::refused_commands : Count::commands);
  if (chance(10)) notify(event);
  last_ = std::move(event);
}

void Chain::wait() const {
  if (last_ && !fails_) CL_EXPECT(CL_SUCCESS, clWaitForEvents(1, last_.list()));
}

test::Event Chain::take_last() {
  if (!last_) (*this)(clEnqueueMarkerWithWaitList);
  return std::move(last_);
}

}  // namespace soak
