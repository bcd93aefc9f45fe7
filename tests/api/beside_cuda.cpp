// SPDX-License-Identifier: Apache-2.0
// A host program that uses CUDA itself, before, during and after its use of OpenCL: neither affects the other.
#include <cuda.h>
#include <dlfcn.h>

#include <thread>

#include "support/opencl.h"
#include "support/own_process.h"

namespace {

// The CUDA driver as another part of the program would load it; only if the device under test is a GPU.
struct Cuda {
  template <class Function>
  static Function* find(const char* name) {
    static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    return library ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
  }
  CUresult (*init)(unsigned) = find<CUresult(unsigned)>("cuInit");
  CUresult (*retain)(CUcontext*, CUdevice) = find<CUresult(CUcontext*, CUdevice)>("cuDevicePrimaryCtxRetain");
  CUresult (*release)(CUdevice) = find<CUresult(CUdevice)>("cuDevicePrimaryCtxRelease_v2");
  CUresult (*create)(CUcontext*, unsigned,
                     CUdevice) = find<CUresult(CUcontext*, unsigned, CUdevice)>("cuCtxCreate_v2");
  CUresult (*destroy)(CUcontext) = find<CUresult(CUcontext)>("cuCtxDestroy_v2");
  CUresult (*set_current)(CUcontext) = find<CUresult(CUcontext)>("cuCtxSetCurrent");
  CUresult (*get_current)(CUcontext*) = find<CUresult(CUcontext*)>("cuCtxGetCurrent");
  CUresult (*synchronize)() = find<CUresult()>("cuCtxSynchronize");
  CUresult (*load)(CUmodule*, const void*) = find<CUresult(CUmodule*, const void*)>("cuModuleLoadData");
  CUresult (*function)(CUfunction*, CUmodule, const char*) =
      find<CUresult(CUfunction*, CUmodule, const char*)>("cuModuleGetFunction");
  CUresult (*allocate)(CUdeviceptr*,
                       std::size_t) = find<CUresult(CUdeviceptr*, std::size_t)>("cuMemAlloc_v2");
  CUresult (*to_device)(CUdeviceptr, const void*, std::size_t) =
      find<CUresult(CUdeviceptr, const void*, std::size_t)>("cuMemcpyHtoD_v2");
  CUresult (*to_host)(void*, CUdeviceptr,
                      std::size_t) = find<CUresult(void*, CUdeviceptr, std::size_t)>("cuMemcpyDtoH_v2");
  CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     CUstream, void**,
                     void**) = find<CUresult(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                                             unsigned, unsigned, CUstream, void**, void**)>("cuLaunchKernel");
};

#define CUDA_OK(call) ASSERT_EQ(CUDA_SUCCESS, call)

// The CUDA half of the program: its own memory and a kernel that adds 1 to each word of it.
class Counter {
 public:
  static constexpr unsigned kCount = 1024;

  void make(const Cuda& cuda) {
    cu_ = &cuda;
    CUmodule module = nullptr;
    CUDA_OK(cuda.load(&module, kPtx));
    CUDA_OK(cuda.function(&kernel_, module, "add_one"));
    CUDA_OK(cuda.allocate(&memory_, kCount * 4));
    expected_ = test::random_values<unsigned>(kCount);
    CUDA_OK(cuda.to_device(memory_, expected_.data(), kCount * 4));
  }
  void step() {
    void* parameters[] = {&memory_};
    CUDA_OK(cu_->launch(kernel_, kCount / 128, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr));
    for (unsigned& value : expected_) ++value;
  }
  void check() const {
    std::vector<unsigned> seen(kCount);
    CUDA_OK(cu_->to_host(seen.data(), memory_, kCount * 4));
    EXPECT_EQ(seen, expected_);
  }

 private:
  static constexpr const char* kPtx =
      ".version 6.3\n.target sm_75\n.address_size 64\n"
      ".visible .entry add_one(.param .u64 memory) {\n"
      "  .reg .u64 a, o; .reg .u32 x, c, n, i;\n"
      "  ld.param.u64 a, [memory]; cvta.to.global.u64 a, a;\n"
      "  mov.u32 c, %ctaid.x; mov.u32 n, %ntid.x; mov.u32 i, %tid.x; mad.lo.u32 i, c, n, i;\n"
      "  mul.wide.u32 o, i, 4; add.u64 a, a, o;\n"
      "  ld.global.u32 x, [a]; add.u32 x, x, 1; st.global.u32 [a], x; ret;\n}\n";
  const Cuda* cu_ = nullptr;
  CUfunction kernel_ = nullptr;
  CUdeviceptr memory_ = 0;
  std::vector<unsigned> expected_;
};

bool device_is_gpu() {
  cl_device_type type = 0;
  if (!test::devices().empty())
    clGetDeviceInfo(test::devices().front(), CL_DEVICE_TYPE, sizeof type, &type, nullptr);
  return type & CL_DEVICE_TYPE_GPU;
}

class BesideCuda : public testing::Test {
 protected:
  void use_primary_context() const {
    CUcontext primary = nullptr;
    CUDA_OK(cuda.init(0));
    CUDA_OK(cuda.retain(&primary, 0));
    CUDA_OK(cuda.set_current(primary));
  }
  const Cuda cuda;
};

// The OpenCL half: a complete small program. `after_each` is called after each OpenCL call.
void use_opencl(const std::function<void()>& after_each = [] {}) {
  cl_device_id device = test::devices().front();
  after_each();
  cl_int error = 1;
  test::Context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  CL_OK(error);
  after_each();
  test::Queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
  CL_OK(error);
  after_each();
  const char* source = "kernel void twice(global uint* a) { a[get_global_id(0)] *= 2; }";
  test::Program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  CL_OK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  after_each();
  test::Kernel kernel = clCreateKernel(program, "twice", &error);
  CL_OK(error);
  auto values = test::random_values<cl_uint>(5000);
  test::Buffer buffer =
      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, values.size() * 4, values.data(), &error);
  CL_OK(error);
  after_each();
  cl_mem memory = buffer;
  CL_OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
  const std::size_t count = values.size();
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, nullptr, 0, nullptr, nullptr));
  after_each();
  std::vector<cl_uint> seen(count);
  CL_OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * 4, seen.data(), 0, nullptr, nullptr));
  after_each();
  for (cl_uint& value : values) value *= 2;
  EXPECT_EQ(seen, values);
  CL_OK(clFinish(queue));
  after_each();
  kernel.reset();
  program.reset();
  buffer.reset();
  queue.reset();
  after_each();
  context.reset();
  after_each();
}

#define TEST_BESIDE(name)                                                                        \
  TEST(BesideCudaAlone, name) {                                                                  \
    if (!device_is_gpu()) GTEST_SKIP() << "the CPU device has no CUDA that a program could use"; \
    test::run_alone("BesideCuda.DISABLED_" #name);                                               \
  }                                                                                              \
  TEST_F(BesideCuda, DISABLED_##name)

TEST_BESIDE(BeforeAndAfter) {
  use_primary_context();
  Counter counter;
  counter.make(cuda);
  counter.step();
  use_opencl();
  counter.step();
  counter.check();
  use_opencl();
  counter.check();
}

TEST_BESIDE(AfterAllIsReleased) {
  use_opencl();
  use_primary_context();
  Counter counter;
  counter.make(cuda);
  counter.step();
  counter.check();
  // The library keeps its own reference to the primary context when the program releases its reference.
  CUDA_OK(cuda.set_current(nullptr));
  CUDA_OK(cuda.release(0));
  use_opencl();
}

// Decision 16: each call leaves the caller's current context as it was, whichever that is.
TEST_BESIDE(LeavesTheCurrentContext) {
  CUcontext own = nullptr, seen = nullptr;
  CUDA_OK(cuda.init(0));
  CUDA_OK(cuda.get_current(&seen));
  EXPECT_EQ(seen, nullptr);
  use_opencl([&] {
    CUDA_OK(cuda.get_current(&seen));
    EXPECT_EQ(seen, nullptr);
  });
  CUDA_OK(cuda.create(&own, 0, 0));
  Counter counter;
  counter.make(cuda);
  use_opencl([&] {
    CUDA_OK(cuda.get_current(&seen));
    EXPECT_EQ(seen, own);
    counter.step();
  });
  counter.check();
  CUDA_OK(cuda.destroy(own));
  use_opencl();
}

TEST_BESIDE(AtTheSameTime) {
  CUcontext primary = nullptr;
  CUDA_OK(cuda.init(0));
  CUDA_OK(cuda.retain(&primary, 0));
  std::thread other([&] {
    CUDA_OK(cuda.set_current(primary));
    Counter counter;
    counter.make(cuda);
    for (int round = 0; round < 20; ++round) {
      for (int i = 0; i < 50; ++i) counter.step();
      counter.check();
      CUDA_OK(cuda.synchronize());
    }
  });
  for (int round = 0; round < 20; ++round) use_opencl();
  other.join();
}

}  // namespace
