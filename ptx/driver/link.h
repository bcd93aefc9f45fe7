// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "ptx/abi/tier.h"
#include "ptx/driver/context.h"
#include "ptx/driver/handle_table.h"

namespace clcuda::ptx::driver {

// Where a caller of cuLink* wants to read logs: buffers of his, and the option values that say their size and
// then how much of them has been filled. The option array stays his, and alive, as long as the link.
class LinkLogs {
 public:
  LinkLogs(unsigned count, CUjit_option* options, void** values);
  void write_error(std::string_view text) { write(error_, text); }

 private:
  struct Buffer {
    char* bytes = nullptr;
    void** size = nullptr;  // capacity, then length
    std::size_t capacity = 0;
  };
  static void write(Buffer& buffer, std::string_view text);
  Buffer info_, error_;
};

// One cuLinkCreate … cuLinkDestroy: units of PTX in, one image out. Links do not share anything, so several
// can be at work at once.
class Link final : public RefCounted {
 public:
  static constexpr HandleType kHandleType = HandleType::link;
  Link(Context& context, Tier tier, LinkLogs logs) : context_(&context), tier_(tier), logs_(logs) {}

  Context& context() const { return *context_; }
  // cuLinkAddData: copies a unit of PTX. Throws DriverError for other types of input.
  void add(CUjitInputType type, std::string_view data, const char* name) EXCLUDES(mutex_);
  // The image; it belongs to the link. Throws DriverError{CUDA_ERROR_INVALID_PTX} with the reason in the log, and
  // std::bad_alloc.
  std::string_view complete() EXCLUDES(mutex_);

 private:
  const Ref<Context> context_;
  const Tier tier_;
  Mutex mutex_ LOCK_RANK(executor_link);
  LinkLogs logs_ GUARDED_BY(mutex_);
  std::vector<std::string> units_ GUARDED_BY(mutex_);
  std::optional<std::string> image_ GUARDED_BY(mutex_);
};

}  // namespace clcuda::ptx::driver
