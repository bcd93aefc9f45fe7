// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <cstdlib>

namespace clcuda::ptx::testing {

namespace {

Tier usual_tier() {
  const char* name = std::getenv("CLCUDA_TEST_TIER");
  return name && std::string_view(name) == "quick" ? Tier::quick : Tier::full;
}

}  // namespace

Program::Program(std::string_view text, std::optional<Tier> tier) {
  const std::string_view units[] = {text};
  const auto bytes = compile(units, log_, tier.value_or(usual_tier()));
  if (!bytes) return;
  code_ = CodeObject::load(
      *bytes,
      [](void* self, std::size_t size, std::size_t alignment) {
        const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
        void* memory = std::memset(std::aligned_alloc(alignment, rounded), 0, rounded);
        static_cast<Program*>(self)->globals_.push_back(memory);
        return memory;
      },
      this, log_);
}

Program::~Program() {
  code_.reset();
  for (void* memory : globals_) std::free(memory);
}

std::optional<Fault> Program::run(std::string_view kernel, std::array<std::uint32_t, 3> grid,
                                  std::array<std::uint32_t, 3> block,
                                  const std::vector<std::byte>& parameters,
                                  std::uint32_t dynamic_shared_bytes) {
  Worker worker;
  for (auto* size : {&grid, &block})
    for (auto& axis : *size)
      if (axis == 0) axis = 1;
  const Launch launch{code_->find_kernel(kernel), grid, block, dynamic_shared_bytes, parameters.data()};
  const std::uint64_t blocks = std::uint64_t{grid[0]} * grid[1] * grid[2];
  for (std::uint64_t index = 0; index < blocks; ++index)
    if (const auto fault = worker.run_block(launch, index)) return fault;
  return std::nullopt;
}

std::string kernel_text(std::string_view parameters, std::string_view body, std::string_view module_level) {
  std::string text = ".version 8.7\n.target sm_90\n.address_size 64\n";
  text.append(module_level).append("\n.visible .entry k(").append(parameters).append(")\n{\n");
  text.append(
      ".reg .pred %p<20>;\n.reg .b16 %h<40>;\n.reg .b32 %r<60>;\n.reg .b64 %rd<40>;\n.reg .b128 %q<4>;\n");
  return text.append(body).append("\nret;\n}\n");
}

}  // namespace clcuda::ptx::testing
