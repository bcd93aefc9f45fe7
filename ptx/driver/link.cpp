// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/link.h"

#include <algorithm>
#include <cstring>

#include "ptx/driver/driver_error.h"
#include "ptx/executor/compile.h"

namespace clcuda::ptx::driver {

LinkLogs::LinkLogs(unsigned count, CUjit_option* options, void** values) {
  require(count == 0 || (options && values));
  for (unsigned i = 0; i < count; ++i) {
    switch (options[i]) {
      case CU_JIT_INFO_LOG_BUFFER:
        info_.bytes = static_cast<char*>(values[i]);
        break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        info_.size = &values[i];
        break;
      case CU_JIT_ERROR_LOG_BUFFER:
        error_.bytes = static_cast<char*>(values[i]);
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        error_.size = &values[i];
        break;
      default:  // the others request what the executor does in any case, or are hints
        require(options[i] >= 0 && options[i] < CU_JIT_NUM_OPTIONS);
    }
  }
  for (Buffer* buffer : {&info_, &error_}) {
    if (!buffer->size) continue;
    buffer->capacity = buffer->bytes ? reinterpret_cast<std::size_t>(*buffer->size) : 0;
    write(*buffer, {});
  }
}

void LinkLogs::write(Buffer& buffer, std::string_view text) {
  if (buffer.capacity == 0) return;
  const std::size_t length = std::min(text.size(), buffer.capacity - 1);
  if (length) std::memcpy(buffer.bytes, text.data(), length);
  buffer.bytes[length] = 0;
  *buffer.size = reinterpret_cast<void*>(length);
}

void Link::add(CUjitInputType type, std::string_view data, const char* name) {
  MutexLock lock(mutex_);
  require(!image_, CUDA_ERROR_INVALID_HANDLE);  // a completed link accepts no more input
  switch (type) {
    case CU_JIT_INPUT_PTX:
      units_.emplace_back(data.substr(0, data.find('\0')));  // the size may include the terminator
      return;
    case CU_JIT_INPUT_LIBRARY:
      // The device runtime library is machine code for GPUs; the executor implements its functions itself.
      require(data.starts_with("!<arch>\n"), CUDA_ERROR_INVALID_IMAGE);
      return;
    case CU_JIT_INPUT_CUBIN:
    case CU_JIT_INPUT_FATBINARY:
    case CU_JIT_INPUT_OBJECT:
    case CU_JIT_INPUT_NVVM:
      logs_.write_error(std::string(name ? name : "input") + ": only PTX can be linked");
      refuse(CUDA_ERROR_NO_BINARY_FOR_GPU);
    default:
      refuse(CUDA_ERROR_INVALID_VALUE);
  }
}

std::string_view Link::complete() {
  MutexLock lock(mutex_);
  if (image_) return *image_;
  require(!units_.empty(), CUDA_ERROR_INVALID_IMAGE);
  const std::vector<std::string_view> units(units_.begin(), units_.end());
  std::string log;
  image_ = compile(units, log, tier_);
  if (image_) return *image_;
  logs_.write_error(log);
  refuse(CUDA_ERROR_INVALID_PTX);
}

}  // namespace clcuda::ptx::driver
