// SPDX-License-Identifier: Apache-2.0
// OpenCL C with build options, which are the first line of an input.
#include "fuzz.h"
#include "programs.h"

namespace fuzz {

void run(std::string_view input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  use(program_of(std::string(input.substr(end))), std::string(input.substr(0, end)));
}

std::vector<std::string> made_seeds() { return {}; }

const Form kForm = Form::text;

}  // namespace fuzz
