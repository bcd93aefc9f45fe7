// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arguments for any OpenCL function: plausible ones and invalid ones, except those with which the application itself causes a failure that
// no library can detect (unmapped memory, a wait that never ends).
#include <CL/cl_ext.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <vector>

#include "api/random_calls/released_handles.h"
#include "api/random_calls/setter.h"
#include "support/opencl.h"

namespace test {

class Arguments {
 public:
  ~Arguments() { release_all(); }

  // A random number below `end`; true once in so many times.
  static std::size_t below(std::size_t end) { return random_engine()() % end; }
  static bool once_in(std::size_t times) { return below(times) == 0; }
  template <class T>
  static T one_of(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }

  // Small sizes, and some that are too large for any device. Sizes in between would be allocated, which takes time.
  static std::size_t size() {
    return once_in(12)
               ? one_of<std::size_t>({~std::size_t{0}, ~std::size_t{0} - 3, std::size_t{1} << 63,
                                      (std::size_t{1} << 63) - 1, std::size_t{1} << 62, std::size_t{1} << 48})
               : small_size();
  }
  static std::size_t small_size() {
    return once_in(3) ? below(70)
                      : one_of<std::size_t>({0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 32, 64, 128, 256, 1000, 4096});
  }
  static cl_uint number() {
    return once_in(10) ? static_cast<cl_uint>(random_engine()()) : static_cast<cl_uint>(below(9));
  }
  // Some of the given flags; occasionally arbitrary ones.
  static cl_bitfield flags(std::initializer_list<cl_bitfield> plausible) {
    if (once_in(20)) return random_engine()();
    cl_bitfield all = once_in(20) ? cl_bitfield{1} << below(64) : 0;
    for (const cl_bitfield flag : plausible)
      if (once_in(4)) all |= flag;
    return all;
  }
  static cl_mem_flags memory_flags(bool with_pointer) {
    cl_mem_flags all = flags({CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY, CL_MEM_HOST_READ_ONLY,
                              CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS, CL_MEM_ALLOC_HOST_PTR});
    if (with_pointer || once_in(10)) all |= one_of<cl_mem_flags>({CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR});
    return all;
  }
  // The ranges in which names of queries lie.
  static cl_uint query() {
    if (once_in(40)) return static_cast<cl_uint>(random_engine()());
    return one_of<cl_uint>({0x0900, 0x1000, 0x1040, 0x1080, 0x1090, 0x10b0, 0x10d0, 0x1100,
                            0x1110, 0x1120, 0x1150, 0x1160, 0x1180, 0x1190, 0x11b0, 0x11d0,
                            0x1280, 0x1290, 0x2030, 0x4000, 0x4100, 0x4230}) +
           static_cast<cl_uint>(below(0x40));
  }

  // Host memory that commands read and write; large enough for all small sizes.
  void* host() { return once_in(12) ? nullptr : arena() + below(64); }
  // Bytes for a call that reads them before it returns. They are never written, so that no call races with a command.
  static const void* value() {
    static const std::vector<std::uint8_t> bytes = random_values(64 + 4096);
    return once_in(12) ? nullptr : bytes.data() + below(64);
  }
  // Memory for a result, zeroed in case the result is a list of pointers that are written to.
  void* answer() {
    answer_.assign(1 << 16, std::byte{});
    return once_in(3) ? nullptr : answer_.data();
  }
  const std::size_t* sizes(std::initializer_list<std::size_t> usual) {
    if (once_in(20)) return nullptr;
    auto& list = lists_[next_list_++ % lists_.size()];
    for (std::size_t& value : list) value = once_in(8) ? size() : one_of(usual);
    return list.data();
  }
  // For an ND-range: small sizes, and some that no device accepts. 2^48 work-items would be accepted and run too long.
  const std::size_t* range() {
    if (once_in(20)) return nullptr;
    auto& list = lists_[next_list_++ % lists_.size()];
    for (std::size_t& value : list)
      value = once_in(100)
                  ? one_of<std::size_t>({~std::size_t{0}, std::size_t{1} << 63, std::size_t{1} << 62})
                  : one_of<std::size_t>({0, 1, 1, 2, 2, 3, 7, 7, 32, 32, 64, 64, 67, 1000});
    return list.data();
  }
  // Pairs, terminated by a zero.
  template <class Property>
  std::vector<Property> properties(std::initializer_list<Property> names,
                                   std::initializer_list<Property> values) {
    std::vector<Property> list;
    while (!once_in(2)) {
      list.push_back(once_in(20) ? static_cast<Property>(1 + below(0x5000)) : one_of(names));
      list.push_back(once_in(6) ? static_cast<Property>(random_engine()()) : one_of(values));
    }
    list.push_back(0);
    return list;
  }

  // A handle, usually of that type.
  template <class Handle>
  Handle handle() {
    if (once_in(60)) return nullptr;
    if (once_in(60)) return static_cast<Handle>(static_cast<void*>(foreign()));
    if (once_in(40)) return static_cast<Handle>(released_.any(random_engine()()));
    const auto& from = once_in(30) ? pools_[below(pools_.size())] : pool<Handle>();
    return from.empty() ? nullptr : static_cast<Handle>(from[below(from.size())]);
  }
  template <class Handle>
  std::vector<Handle> handles() {
    std::vector<Handle> list(below(4));
    for (Handle& each : list) each = handle<Handle>();
    return list;
  }
  template <class Handle>
  void add(Handle made) {
    if (!made) return;
    if constexpr (std::is_same_v<Handle, cl_context>)
      several_contexts_ |= !pool<cl_context>().empty() && pool<cl_context>().front() != made;
    pool<Handle>().push_back(made);
  }
  // Checks that a function returned either an object or an error code.
  template <class Handle>
  cl_int made(Handle object, cl_int error) {
    EXPECT_EQ(object != nullptr, error == CL_SUCCESS) << error_name(error);
    add(object);
    return error;
  }
  // Releases an object that the application created, or passes another handle.
  template <class Handle, class Release>
  cl_int release(Release function) {
    settle();
    // The thread that is to set a user event has a reference of its own, which it gives back at any time.
    if constexpr (std::is_same_v<Handle, cl_event>) setter_.wait();
    if constexpr (std::is_same_v<Handle, cl_command_queue>) finish();
    auto& from = pool<Handle>();
    void* const object = from.empty() || once_in(8) ? handle<Handle>() : from[below(from.size())];
    take_reference(from, object);
    return function(static_cast<Handle>(object));
  }

  // A retain adds the handle once more, so that it will be released again.
  template <class Handle>
  cl_int retain(cl_int(CL_API_CALL* function)(Handle)) {
    const Handle object = handle<Handle>();
    const cl_int code = function(object);
    if (code == CL_SUCCESS) add(object);
    return code;
  }

  // Contexts and devices other than the initial ones. SVM is freed with its context.
  cl_int release_context() {
    settle();
    finish();
    auto& contexts = pool<cl_context>();
    if (contexts.size() < 2) return clReleaseContext(nullptr);
    const auto context = static_cast<cl_context>(contexts[1 + below(contexts.size() - 1)]);
    take_reference(contexts, context);
    std::erase_if(shared_, [context](const auto& one) {
      if (one.first == context) clSVMFree(context, one.second);
      return one.first == context;
    });
    // Some USM allocations are left to be freed with the context.
    for (auto* list : {&unified_, &in_kernels_})
      std::erase_if(*list, [context](const auto& one) { return one.first == context; });
    return clReleaseContext(context);
  }
  cl_int release_device() {
    auto& devices = pool<cl_device_id>();
    if (devices.size() < 2) return clReleaseDevice(nullptr);
    const auto device = static_cast<cl_device_id>(devices[1 + below(devices.size() - 1)]);
    take_reference(devices, device);
    return clReleaseDevice(device);
  }

  // User events are set before any call that may wait for them; some are set earlier by another thread.
  void opened(cl_event user) {
    if (!user) return;
    if (once_in(3)) return setter_.end(user, end_of_user_event(), std::chrono::microseconds(below(2000)));
    open_.push_back(user);
  }
  static cl_int end_of_user_event() {
    return once_in(4) ? -static_cast<cl_int>(1 + below(100)) : CL_COMPLETE;
  }
  void settle() {
    for (const cl_event user : std::exchange(open_, {})) clSetUserEventStatus(user, end_of_user_event());
  }
  cl_bool blocking() {
    if (once_in(3)) return CL_FALSE;
    settle();
    return once_in(10) ? number() : CL_TRUE;
  }

  // The wait list and event, the last parameters of each enqueue function.
  template <class Enqueue>
  cl_int enqueue(Enqueue function) {
    const std::vector<cl_event> waits = handles<cl_event>();
    const cl_uint count = once_in(60) ? number() % 3 : static_cast<cl_uint>(waits.size());
    const cl_event* list = count > waits.size() || (waits.empty() && !once_in(60)) ? nullptr : waits.data();
    cl_event event = nullptr;
    const bool wanted = once_in(2);
    const cl_int code = function(count, list, wanted ? &event : nullptr);
    EXPECT_EQ(event != nullptr, wanted && code == CL_SUCCESS) << error_name(code);
    add(event);
    return code;
  }

  bool crowded() const {
    return std::ranges::any_of(pools_, [](const auto& objects) { return objects.size() > 60; });
  }
  cl_platform_id platform() { return static_cast<cl_platform_id>(pool<cl_platform_id>().front()); }
  void release_all() {
    settle();
    release_pool(clReleaseEvent);
    release_pool(clReleaseKernel);
    release_pool(clReleaseProgram);
    release_pool(clReleaseSampler);
    release_pool(clReleaseMemObject);
    finish();
    release_pool(clReleaseCommandQueue);
    for (const auto& [context, pointer] : std::exchange(shared_, {})) clSVMFree(context, pointer);
    unified_.clear();
    in_kernels_.clear();
    given_.clear();
    release_pool(clReleaseContext);
    release_pool(clReleaseDevice);
  }

  // SVM is freed with its context.
  void add_shared(cl_context context, void* pointer) {
    if (pointer) shared_.push_back({context, pointer});
  }
  // An allocation to free, other than those that were passed to kernels.
  void* take_shared() {
    const auto found = std::find_if(shared_.rbegin(), shared_.rend(), [this](const auto& entry) {
      return std::ranges::find(given_, entry.second) == given_.end();
    });
    if (found == shared_.rend()) return nullptr;
    void* const pointer = found->second;
    shared_.erase(std::next(found).base());
    return pointer;
  }
  // USM is freed with its context, or before. (A context that has further references keeps it until the end.)
  void add_unified(cl_context context, void* pointer) {
    if (pointer) unified_.push_back({context, pointer});
  }
  std::pair<cl_context, void*> take_unified() {
    if (unified_.empty()) return {};
    std::swap(unified_[below(unified_.size())], unified_.back());
    const auto taken = unified_.back();
    unified_.pop_back();
    return taken;
  }
  // A USM or SVM allocation or host memory. A queue of another context treats an allocation as host memory, which a worker thread may
  // access beyond its end or after it has been freed: an error of the program. So none is returned once there are several contexts.
  void* shared() {
    if (several_contexts_) return host();
    const auto& from = once_in(2) ? shared_ : once_in(2) ? unified_ : in_kernels_;
    return from.empty() || once_in(10)
               ? host()
               : static_cast<std::byte*>(from[below(from.size())].second) + (once_in(4) ? below(70) : 0);
  }
  // The same for kernel arguments: such memory is kept until its context is released, because later launches may use the argument. (A GPU
  // that accesses host memory could write anywhere through a pointer to freed memory.)
  void* shared_for_kernel() {
    if (!unified_.empty() && once_in(2)) in_kernels_.push_back(take_unified());
    if (several_contexts_) return host();
    const auto& from = once_in(2) ? shared_ : in_kernels_;
    if (from.empty() || once_in(10)) return host();
    return given_.emplace_back(from[below(from.size())].second);
  }

 private:
  template <class Handle>
  static constexpr std::size_t slot() {
    if constexpr (std::is_same_v<Handle, cl_platform_id>) return 0;
    if constexpr (std::is_same_v<Handle, cl_device_id>) return 1;
    if constexpr (std::is_same_v<Handle, cl_context>) return 2;
    if constexpr (std::is_same_v<Handle, cl_command_queue>) return 3;
    if constexpr (std::is_same_v<Handle, cl_mem>) return 4;
    if constexpr (std::is_same_v<Handle, cl_sampler>) return 5;
    if constexpr (std::is_same_v<Handle, cl_program>) return 6;
    if constexpr (std::is_same_v<Handle, cl_kernel>) return 7;
    return 8;
  }
  template <class Handle>
  std::vector<void*>& pool() {
    return pools_[slot<Handle>()];
  }
  template <class Handle>
  void release_pool(cl_int(CL_API_CALL* function)(Handle)) {
    for (auto& from = pool<Handle>(); !from.empty();) {
      void* const object = from.back();
      take_reference(from, object);
      function(static_cast<Handle>(object));
    }
  }
  // One of the application's references, of which the pool has an entry each. After the last, the handle is invalid; those of the first
  // context and device stay valid, which does no harm.
  void take_reference(std::vector<void*>& from, void* object) {
    const auto place = std::find(from.rbegin(), from.rend(), object);
    if (place == from.rend()) return;
    from.erase(std::next(place).base());
    if (std::ranges::find(from, object) == from.end()) released_.add(object);
  }
  // Waits for commands in flight, which may use memory that must outlive them.
  void finish() {
    for (void* const queue : pool<cl_command_queue>()) clFinish(static_cast<cl_command_queue>(queue));
  }
  // As large as the largest box in host memory: 4096 bytes per row, with as many rows as a buffer has bytes.
  static std::byte* arena() {
    static void* const memory = mmap(nullptr, std::size_t{1} << 30, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return static_cast<std::byte*>(memory);
  }
  // A value that the ICD loader can dereference, but that is not an object of the library.
  void* foreign() {
    std::copy_n(reinterpret_cast<void**>(platform()), 2, foreign_.begin());
    return foreign_.data();
  }

  std::array<std::vector<void*>, 9> pools_;
  ReleasedHandles released_;
  std::vector<cl_event> open_;
  std::vector<std::pair<cl_context, void*>> shared_, unified_, in_kernels_;
  std::vector<void*> given_;       // those passed to kernels
  bool several_contexts_ = false;  // now or earlier
  std::vector<std::byte> answer_;
  std::array<std::array<std::size_t, 4>, 8> lists_{};
  std::size_t next_list_ = 0;
  alignas(64) std::array<void*, 16> foreign_{};
  Setter setter_;
};

}  // namespace test
