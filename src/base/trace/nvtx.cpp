// SPDX-License-Identifier: Apache-2.0
#include "base/trace/nvtx.h"

#include <nvtx3/nvToolsExt.h>

namespace clcuda::trace::nvtx {
namespace {

nvtxDomainHandle_t domain() noexcept {
  static const nvtxDomainHandle_t domain = nvtxDomainCreateA("clcuda");
  return domain;
}

}  // namespace

bool available() noexcept { return true; }

void push(const char* name) noexcept {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = name;
  nvtxDomainRangePushEx(domain(), &attributes);
}

void pop() noexcept { nvtxDomainRangePop(domain()); }

}  // namespace clcuda::trace::nvtx
