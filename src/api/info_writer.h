// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <cstring>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>

#include "api/header_names.h"
#include "base/error.h"

namespace clcuda::api {

// Writes the result of a clGet*Info function by the rules that all of them share: sizes, null pointers, strings, arrays,
// param_value_size_ret.
//
//   cl_int CL_API_CALL clGetKernelInfo(…, cl_kernel_info name, size_t size, void* value, size_t* size_ret) {
//     return guarded(handle, [&] {
//       InfoWriter out(name, size, value, size_ret);
//       switch (name) {
//         case CL_KERNEL_NUM_ARGS: return out.write<cl_uint>(kernel.info().arguments.size());
//       }
//       return out.unknown();
//     });
//
// Throws CL_INVALID_VALUE if the memory is too small. Each branch must return a Written, which only the writer can make, so a branch that
// forgets to write does not compile.
class InfoWriter {
 public:
  class Written {
    friend class InfoWriter;
    Written() = default;
  };

  InfoWriter(cl_uint query, size_t size, void* value, size_t* size_ret)
      : query_(query), size_(size), value_(value), size_ret_(size_ret) {}

  template <class T>
  Written write(const std::type_identity_t<T>& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return bytes(&value, sizeof(T));
  }
  Written string(std::string_view text) {
    require_room(text.size() + 1);
    if (value_) {
      std::memcpy(value_, text.data(), text.size());
      static_cast<char*>(value_)[text.size()] = '\0';
    }
    return finish(text.size() + 1);
  }
  template <std::ranges::contiguous_range Range>
  Written array(const Range& values) {
    return bytes(std::ranges::data(values),
                 std::ranges::size(values) * sizeof(std::ranges::range_value_t<Range>));
  }
  Written bytes(const void* data, size_t size) {
    require_room(size);
    if (value_ && size) std::memcpy(value_, data, size);
    return finish(size);
  }
  // Throws the code for a query that does not exist.
  [[noreturn]] Written unknown(cl_int code = CL_INVALID_VALUE) {
    throw Error(code, "unknown query " + query_text(query_));
  }

 private:
  void require_room(size_t needed) const {
    if (value_ && size_ < needed) [[unlikely]]
      refuse_size(needed);
  }
  [[noreturn, gnu::noinline, gnu::cold]] void refuse_size(size_t needed) const {
    throw Error(CL_INVALID_VALUE, "param_value_size is too small for " + query_text(query_) + ": " +
                                      std::to_string(size_) + " of " + std::to_string(needed) + " bytes");
  }
  Written finish(size_t size) {
    if (size_ret_) *size_ret_ = size;
    return {};
  }

  cl_uint query_;
  size_t size_;
  void* value_;
  size_t* size_ret_;
};

}  // namespace clcuda::api
