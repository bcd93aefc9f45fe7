// SPDX-License-Identifier: Apache-2.0
#include "compiler/ptx_stack.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <vector>

namespace clcuda::compiler {
namespace {

constexpr std::size_t kLongestChain = 8;              // of calls
constexpr std::uint64_t kSavedByEachCall = 64;        // the return address, and registers
constexpr std::string_view kDepot = "__local_depot";  // LLVM's variable for a function's private memory

// The size in a declaration: .local .align 8 .b8 __local_depot3[48];
std::uint64_t depot_in(std::string_view line) {
  const std::size_t name = line.find(kDepot), bracket = line.find('[', name);
  std::uint64_t bytes = 0;
  if (line.find(".local") < name && bracket != line.npos)
    std::from_chars(line.data() + bracket + 1, line.data() + line.size(), bytes);
  return bytes;
}

}  // namespace

std::uint64_t stack_of_indirect_calls(std::string_view ptx) {
  if (ptx.find(".callprototype") == ptx.npos) return 0;
  std::uint64_t of_kernel = 0;
  std::vector<std::uint64_t> of_functions;
  bool in_kernel = false;
  while (!ptx.empty()) {
    const std::string_view line = ptx.substr(0, ptx.find('\n'));
    ptx.remove_prefix(std::min(line.size() + 1, ptx.size()));
    const bool begins_kernel = line.find(".entry ") != line.npos;
    if (begins_kernel || line.starts_with(".func") || line.find(" .func") != line.npos) {
      in_kernel = begins_kernel;
      if (!in_kernel) of_functions.push_back(kSavedByEachCall);
    }
    const std::uint64_t bytes = depot_in(line);
    if (in_kernel)
      of_kernel = std::max(of_kernel, bytes);
    else if (bytes && !of_functions.empty())
      of_functions.back() += bytes;
  }
  std::ranges::sort(of_functions, std::greater());
  of_functions.resize(std::min(of_functions.size(), kLongestChain));
  return std::reduce(of_functions.begin(), of_functions.end(), of_kernel);
}

}  // namespace clcuda::compiler
