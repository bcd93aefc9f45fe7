// SPDX-License-Identifier: Apache-2.0
// The device's multiprocessors are its threads. A partition may have any number of them.
#include "ptx/driver/green_context.h"

#include <algorithm>
#include <utility>

#include "ptx/driver/device.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/primary_context.h"
#include "ptx/driver/process.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {
namespace {

CUdevResource multiprocessors(unsigned count) {
  CUdevResource resource{};
  resource.type = count ? CU_DEV_RESOURCE_TYPE_SM : CU_DEV_RESOURCE_TYPE_INVALID;
  resource.sm.smCount = count;
  return resource;
}

// A resource description is just a number of threads.
CUdevResourceDesc description_of(std::uint64_t threads) {
  return reinterpret_cast<CUdevResourceDesc>(static_cast<std::uintptr_t>(threads));
}
int threads_of(CUdevResourceDesc description) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(description));
}

}  // namespace

CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource* resource, CUdevResourceType type) {
  return entry([&] {
    Device& found = Process::get().device(device);
    CUdevResource& out = required(resource);
    require(type == CU_DEV_RESOURCE_TYPE_SM, CUDA_ERROR_INVALID_RESOURCE_TYPE);
    out = multiprocessors(static_cast<unsigned>(found.pool().size()));
    return CUDA_SUCCESS;
  });
}

CUresult cuDevSmResourceSplitByCount(CUdevResource* result, unsigned* groups, const CUdevResource* input,
                                     CUdevResource* remaining, unsigned, unsigned least) {
  return entry([&] {
    require(input && input->type == CU_DEV_RESOURCE_TYPE_SM);
    const unsigned all = input->sm.smCount, each = std::max(least, 1u);
    require(each <= all);
    unsigned& count = required(groups);
    count = result ? std::min(count, all / each) : all / each;
    for (unsigned i = 0; result && i < count; ++i) result[i] = multiprocessors(each);
    if (remaining) *remaining = multiprocessors(all - count * each);
    return CUDA_SUCCESS;
  });
}

CUresult cuDevResourceGenerateDesc(CUdevResourceDesc* description, CUdevResource* resources, unsigned count) {
  return entry([&] {
    CUdevResourceDesc& out = required(description);
    require(resources && count > 0);
    std::uint64_t threads = 0;
    for (unsigned i = 0; i < count; ++i) {
      require(resources[i].type == CU_DEV_RESOURCE_TYPE_SM, CUDA_ERROR_INVALID_RESOURCE_TYPE);
      threads += resources[i].sm.smCount;
    }
    out = description_of(threads);
    return CUDA_SUCCESS;
  });
}

CUresult cuGreenCtxCreate(CUgreenCtx* handle, CUdevResourceDesc description, CUdevice device,
                          unsigned flags) {
  return entry([&] {
    Device& found = Process::get().device(device);
    CUgreenCtx& out = required(handle);
    const int threads = threads_of(description);
    require(flags == CU_GREEN_CTX_DEFAULT_STREAM && threads > 0 && threads <= found.pool().size());
    PrimaryContextSlot& primary = Process::get().primary_context(found);
    primary.retain();
    out = handle_from<CUgreenCtx>(
        handles<GreenContext>().add(Ref<GreenContext>::adopt(new GreenContext(primary.context(), threads))));
    return CUDA_SUCCESS;
  });
}

CUresult cuGreenCtxStreamCreate(CUstream* stream, CUgreenCtx handle, unsigned flags, int priority) {
  return entry([&] {
    CUstream& out = required(stream);
    const Ref<GreenContext> part = handles<GreenContext>().get(number(handle));
    require(flags == CU_STREAM_NON_BLOCKING);
    out = handle_from<CUstream>(handles<Stream>().add(
        part->context().create_stream(Stream::Kind::non_blocking, priority, &part->pool())));
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
