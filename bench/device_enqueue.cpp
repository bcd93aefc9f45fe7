// SPDX-License-Identifier: Apache-2.0
// The cost of small kernels that are enqueued on the device, compared with those that the host enqueues.
#include <string>

#include "harness/benchmark.h"
#include "support/client.h"

namespace {

constexpr size_t kWideCount = 10000;

constexpr const char* kSource = R"(
kernel void small(global int* out) { out[get_global_id(0)] += 1; }
kernel void wide(global int* out, int flags) {
  enqueue_kernel(get_default_queue(), flags, ndrange_1D(32, 32), ^{ out[get_global_id(0)] += 1; });
}
void link(global int* out, int left, int flags) {
  out[0] += 1;
  if (left > 1)
    enqueue_kernel(get_default_queue(), flags, ndrange_1D(1, 1), ^{ link(out, left - 1, flags); });
}
kernel void chain(global int* out, int length, int flags) { link(out, length, flags); }
)";

class DeviceEnqueue {
 public:
  explicit DeviceEnqueue(const bench::Options& options)
      : session_(options.device),
        program_(session_.build(kSource, "-cl-std=CL3.0")),
        small_(session_.kernel(program_, "small")),
        out_(session_.buffer(4096)) {
    benchmark::AddCustomContext("device", session_.device_name());
    client::set_arguments(small_, out_);
    const cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_int error = CL_SUCCESS;
    on_device_.reset(
        clCreateCommandQueueWithProperties(session_.context(), session_.device(), properties, &error));
    client::check(error, "clCreateCommandQueueWithProperties");
  }

  // An operation is a launch with all kernels that it enqueues, or the same number of launches from the host.
  void add() {
    bench::add_batch("host_10000", [this](size_t n) {
      for (size_t i = 0; i < n * kWideCount; ++i) launch(small_, 32);
      finish();
    });
    for (const cl_int flags : {0, 1}) {
      const std::string name = flags == 0 ? "_no_wait" : "_wait_kernel";
      add_of("wide", "wide_10000" + name, kWideCount, flags);
      add_of("chain", "chain_1000" + name, 1, cl_int{1000}, flags);
    }
  }

 private:
  template <class... Arguments>
  void add_of(const char* kernel, const std::string& name, size_t items, Arguments... arguments) {
    bench::add(name, [=, this](benchmark::State& state) {
      const client::Kernel made = session_.kernel(program_, kernel);
      client::set_arguments(made, out_, arguments...);
      bench::time_batch(state, [&](size_t n) {
        while (n--) launch(made, items);
        finish();
      });
    });
  }
  void launch(const client::Kernel& kernel, size_t items) {
    client::check(clEnqueueNDRangeKernel(session_.queue(), kernel.get(), 1, nullptr, &items, nullptr, 0,
                                         nullptr, nullptr),
                  "clEnqueueNDRangeKernel");
  }
  void finish() { client::check(clFinish(session_.queue()), "clFinish"); }

  client::Session session_;
  client::Program program_;
  client::Kernel small_;
  client::Buffer out_;
  client::Queue on_device_;
};

}  // namespace

int main(int count, char** words) { return bench::run_main<DeviceEnqueue>(count, words); }
