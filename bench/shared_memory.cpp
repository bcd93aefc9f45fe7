// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory by access pattern, and a pipe between two kernels.
//
//   coarse_turns_…  host and device change all bytes in turns, between map and unmap
//   fine_turns_…    the same in fine-grained memory: without telling anybody
//   word_turns      one word, fine-grained: what a change of sides costs
//   follow_…        a kernel follows a list whose nodes are all over the memory
//   pipe_…          packets that one running kernel gives to another
#include <stdexcept>
#include <string>

#include "harness/benchmark.h"
#include "harness/shared_list.h"
#include "support/client.h"

namespace {

constexpr char kSource[] =
    "kernel void add(global uint* p) { p[get_global_id(0)] += 1; }\n"
    "struct node { global struct node* next; uint value; };\n"
    "kernel void follow(global struct node* n, global uint* sum) { uint s = 0;\n"
    "  for (; n; n = n->next) s += n->value; *sum = s; }\n"
    "#ifdef __opencl_c_pipes\n"
    "kernel void give(write_only pipe uint p, uint count) {\n"
    "  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) while (write_pipe(p, &i)); }\n"
    "kernel void take(read_only pipe uint p, uint count, global uint* sums) {\n"
    "  uint x, sum = 0;\n"
    "  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) { while (read_pipe(p, &x)); sum "
    "+= x; }\n"
    "  sums[get_global_id(0)] = sum; }\n"
    "#endif\n";

class Memory {
 public:
  Memory(const client::Session& session, cl_svm_mem_flags flags, std::size_t bytes)
      : context_(session.context()), data_(clSVMAlloc(context_, flags, bytes, 0)) {
    if (!data_) throw std::runtime_error("clSVMAlloc");
  }
  ~Memory() { clSVMFree(context_, data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  cl_context context_;
  void* data_;
};

class SharedMemory {
 public:
  explicit SharedMemory(const bench::Options& options)
      : session_(options.device),
        second_(clCreateCommandQueueWithProperties(session_.context(), session_.device(), nullptr, nullptr)),
        program_(session_.build(kSource, "-cl-std=CL3.0")) {
    benchmark::AddCustomContext("device", session_.device_name());
    client::check(clGetDeviceInfo(session_.device(), CL_DEVICE_SVM_CAPABILITIES, sizeof capabilities_,
                                  &capabilities_, nullptr),
                  "clGetDeviceInfo");
  }

  void add() {
    for (const std::size_t mebibytes : {1, 64}) add_turns("coarse", 0, mebibytes);
    if (capabilities_ & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) {
      for (const std::size_t mebibytes : {1, 64}) add_turns("fine", CL_MEM_SVM_FINE_GRAIN_BUFFER, mebibytes);
      bench::add("word_turns", [this](benchmark::State& state) { word_turns(state); });
    }
    bench::add("follow_list", [this](benchmark::State& state) { follow(state); });
    cl_bool pipes = CL_FALSE;
    if (clGetDeviceInfo(session_.device(), CL_DEVICE_PIPE_SUPPORT, sizeof pipes, &pipes, nullptr) ==
            CL_SUCCESS &&
        pipes)
      for (const std::size_t items : {1, 256})
        bench::add("pipe_" + std::to_string(items) + "_work_items",
                   [=, this](benchmark::State& state) { pipe(state, items); });
  }

 private:
  void finish() { client::check(clFinish(session_.queue()), "clFinish"); }
  void launch(const client::Kernel& kernel, std::size_t items) {
    client::check(clEnqueueNDRangeKernel(session_.queue(), kernel.get(), 1, nullptr, &items, nullptr, 0,
                                         nullptr, nullptr),
                  "clEnqueueNDRangeKernel");
  }
  client::Kernel kernel_on(const char* name, const void* memory) {
    client::Kernel kernel = session_.kernel(program_, name);
    client::check(clSetKernelArgSVMPointer(kernel.get(), 0, memory), "clSetKernelArgSVMPointer");
    return kernel;
  }

  void add_turns(const std::string& grain, cl_svm_mem_flags flags, std::size_t mebibytes) {
    bench::add(grain + "_turns_" + std::to_string(mebibytes) + "_MiB",
               [=, this](benchmark::State& state) { turns(state, flags, mebibytes); });
  }
  void turns(benchmark::State& state, cl_svm_mem_flags flags, std::size_t mebibytes) {
    const std::size_t bytes = mebibytes << 20, count = bytes / sizeof(cl_uint);
    const Memory memory(session_, flags, bytes);
    const client::Kernel kernel = kernel_on("add", memory.as<void>());
    const auto batch = [&](std::size_t n) {
      while (n--) {
        if (!flags)
          client::check(clEnqueueSVMMap(session_.queue(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                        memory.as<void>(), bytes, 0, nullptr, nullptr),
                        "clEnqueueSVMMap");
        bench::add_one(memory.as<cl_uint>(), count);
        if (!flags)
          client::check(clEnqueueSVMUnmap(session_.queue(), memory.as<void>(), 0, nullptr, nullptr),
                        "clEnqueueSVMUnmap");
        launch(kernel, count);
        finish();
      }
    };
    bench::time_batch(state, batch, 2e-9 * double(bytes), "GB/s");
  }

  void word_turns(benchmark::State& state) {
    const Memory memory(session_, CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof(cl_uint));
    const client::Kernel kernel = kernel_on("add", memory.as<void>());
    bench::time_batch(state, [&](std::size_t n) {
      while (n--) {
        bench::add_one(memory.as<cl_uint>(), 1);
        launch(kernel, 1);
        finish();
      }
    });
  }

  void follow(benchmark::State& state) {
    const Memory nodes(session_, 0, bench::kListLength * sizeof(bench::Node)),
        sum(session_, 0, sizeof(cl_uint));
    client::check(clEnqueueSVMMap(session_.queue(), CL_TRUE, CL_MAP_WRITE, nodes.as<void>(),
                                  bench::kListLength * sizeof(bench::Node), 0, nullptr, nullptr),
                  "clEnqueueSVMMap");
    const bench::Node* first = bench::link_list(nodes.as<bench::Node>());
    client::check(clEnqueueSVMUnmap(session_.queue(), nodes.as<void>(), 0, nullptr, nullptr),
                  "clEnqueueSVMUnmap");
    const client::Kernel kernel = kernel_on("follow", first);
    client::check(clSetKernelArgSVMPointer(kernel.get(), 1, sum.as<void>()), "clSetKernelArgSVMPointer");
    const auto batch = [&](std::size_t n) {
      while (n--) launch(kernel, 1);
      finish();
    };
    bench::time_batch(state, batch, double(bench::kListLength) * 1e-6, "M/s");
  }

  void pipe(benchmark::State& state, std::size_t items) {
    constexpr cl_uint kPackets = 1 << 16;
    cl_int error = CL_SUCCESS;
    const client::Buffer pipe(clCreatePipe(session_.context(), 0, sizeof(cl_uint), 4096, nullptr, &error));
    client::check(error, "clCreatePipe");
    const client::Buffer sums = session_.buffer(items * sizeof(cl_uint));
    const client::Kernel give = session_.kernel(program_, "give"), take = session_.kernel(program_, "take");
    client::set_arguments(give, pipe, kPackets);
    client::set_arguments(take, pipe, kPackets, sums);
    const auto batch = [&](std::size_t n) {
      while (n--) {
        client::check(clEnqueueNDRangeKernel(second_.get(), give.get(), 1, nullptr, &items, nullptr, 0,
                                             nullptr, nullptr),
                      "clEnqueueNDRangeKernel");
        client::check(clFlush(second_.get()), "clFlush");
        launch(take, items);
        finish();
      }
    };
    bench::time_batch(state, batch, double(kPackets) * 1e-6, "M/s");
  }

  client::Session session_;
  client::Queue second_;
  client::Program program_;
  cl_device_svm_capabilities capabilities_ = 0;
};

}  // namespace

int main(int count, char** words) { return bench::run_main<SharedMemory>(count, words); }
