// SPDX-License-Identifier: Apache-2.0
// SVM of the kinds that the devices support, and each way to free it.
#include "soak/pointer_commands.h"
#include "soak/session.h"
#include "soak/tally.h"
#include "support/device_info.h"

namespace soak {
namespace {

// An allocation and its context, which must be kept together.
class Allocation {
 public:
  Allocation(cl_context context, cl_svm_mem_flags flags, std::size_t size)
      : context_(context), data_(static_cast<std::uint8_t*>(clSVMAlloc(context, flags, size, 0))) {
    EXPECT_NE(data_, nullptr);
    CL_EXPECT(CL_SUCCESS, clRetainContext(context));
  }
  Allocation(Allocation&& other) noexcept
      : context_(std::move(other.context_)), data_(std::exchange(other.data_, nullptr)) {}
  ~Allocation() {
    if (data_) clSVMFree(context_, data_);
  }
  std::uint8_t* data() const { return data_; }
  void release() { data_ = nullptr; }

 private:
  test::Context context_;
  std::uint8_t* data_;
};

void CL_CALLBACK free_all(cl_command_queue queue, cl_uint number, void* pointers[], void*) {
  cl_context context = nullptr;
  CL_EXPECT(CL_SUCCESS, clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr));
  for (cl_uint i = 0; i < number; ++i) clSVMFree(context, pointers[i]);
  count(Count::callbacks);
  --callbacks_due();
}

void add(Session& session, Chain& chain, Allocation& memory, Bytes& bytes) {
  add_by_pointer(session, chain, bytes,
                 [&](cl_kernel kernel) { return clSetKernelArgSVMPointer(kernel, 0, memory.data()); });
}

void fill(Chain& chain, Allocation& memory, Bytes& bytes) {
  fill_by_pointer(
      chain, bytes, 5, [&](cl_command_queue queue, const Bytes& pattern, std::size_t size, auto... events) {
        return clEnqueueSVMMemFill(queue, memory.data(), pattern.data(), pattern.size(), size, events...);
      });
}

void map(Chain& chain, Allocation& memory, Bytes& bytes) {
  if (chain.fails()) return;
  const cl_bool blocking = chance(50);
  chain([&](cl_command_queue queue, auto... events) {
    return clEnqueueSVMMap(queue, blocking, CL_MAP_READ | CL_MAP_WRITE, memory.data(), bytes.size(),
                           events...);
  });
  chain.wait();
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), memory.data()));
  bytes[below(bytes.size())] ^= 0x5a;
  std::ranges::copy(bytes, memory.data());
  chain([&](cl_command_queue queue, auto... events) {
    return clEnqueueSVMUnmap(queue, memory.data(), events...);
  });
}

void migrate(Chain& chain, Allocation& memory) {
  const void* pointer = memory.data();
  chain([&](cl_command_queue queue, auto... events) {
    return clEnqueueSVMMigrateMem(queue, 1, &pointer, nullptr, 0, events...);
  });
}

void write(Chain& chain, Allocation& memory, Bytes& bytes, Pending& pending) {
  bytes = test::random_values(bytes.size());
  const Bytes& source = pending.keep(bytes);
  const cl_bool blocking = !chain.fails() && chance(20);
  chain([&](cl_command_queue queue, auto... events) {
    return clEnqueueSVMMemcpy(queue, blocking, memory.data(), source.data(), source.size(), events...);
  });
}

// Frees by a command, with or without a callback function, or after everything is complete. A command that fails frees nothing.
void end(Chain& chain, Allocation memory, Pending& pending) {
  if (chain.fails() || chance(40)) {
    pending.keep(std::move(memory));
    return;
  }
  void* pointer = memory.data();
  memory.release();
  const bool called = chance(50);
  if (called) ++callbacks_due();
  chain([&](cl_command_queue queue, auto... events) {
    return clEnqueueSVMFree(queue, 1, &pointer, called ? free_all : nullptr, nullptr, events...);
  });
}

}  // namespace

std::unique_ptr<Pending> share_memory(Session& session) {
  cl_device_svm_capabilities able = ~cl_device_svm_capabilities{0};
  for (const cl_device_id device : session.devices())
    able &= test::device_info<cl_device_svm_capabilities>(device, CL_DEVICE_SVM_CAPABILITIES);
  if (!(able & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) return nullptr;
  auto pending = std::make_unique<Pending>("shared virtual memory");
  const bool fine = (able & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) && chance(50);
  Chain chain(session);
  Bytes bytes(any_size(60'000));
  Allocation memory(session.context(), CL_MEM_READ_WRITE | (fine ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0),
                    bytes.size());
  write(chain, memory, bytes, *pending);
  for (auto left = below(6); left > 0; --left) switch (below(5)) {
      case 0:
        fill(chain, memory, bytes);
        break;
      case 1:
        map(chain, memory, bytes);
        break;
      case 2:
        migrate(chain, memory);
        break;
      case 3:
        write(chain, memory, bytes, *pending);
        break;
      default:
        add(session, chain, memory, bytes);
    }
  std::uint8_t* const seen = pending->seen(bytes);
  chain([&](cl_command_queue queue, auto... events) {
    return clEnqueueSVMMemcpy(queue, CL_FALSE, seen, memory.data(), bytes.size(), events...);
  });
  end(chain, std::move(memory), *pending);
  pending->ends_with(chain.take_last(), chain.fails());
  return pending;
}

}  // namespace soak
