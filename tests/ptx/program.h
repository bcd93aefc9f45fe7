// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/executor/code_object.h"
#include "ptx/executor/compile.h"
#include "ptx/executor/worker.h"

namespace clcuda::ptx::testing {

// A compiled and loaded program, with a short way to run its kernels:
//
//   Program program(text);
//   program.run("saxpy", {4}, {256}, arguments(x, y, 2.0f, n));
class Program {
 public:
  // Without `tier`: quick if CLCUDA_TEST_TIER says so, otherwise full code.
  explicit Program(std::string_view text, std::optional<Tier> tier = std::nullopt);
  ~Program();

  // Whether it compiled and loaded; `log` has the reason if not.
  explicit operator bool() const { return code_ != nullptr; }
  const std::string& log() const { return log_; }
  CodeObject& code() { return *code_; }

  std::optional<Fault> run(std::string_view kernel, std::array<std::uint32_t, 3> grid,
                           std::array<std::uint32_t, 3> block, const std::vector<std::byte>& parameters,
                           std::uint32_t dynamic_shared_bytes = 0);

 private:
  std::string log_;
  std::vector<void*> globals_;
  std::unique_ptr<CodeObject> code_;
};

// Values in a parameter buffer, each at its natural alignment.
template <typename... T>
std::vector<std::byte> arguments(T... values) {
  std::vector<std::byte> bytes;
  const auto add = [&](const auto& value) {
    const std::size_t offset =
        (bytes.size() + alignof(decltype(value)) - 1) / alignof(decltype(value)) * alignof(decltype(value));
    bytes.resize(offset + sizeof value);
    std::memcpy(bytes.data() + offset, &value, sizeof value);
  };
  (add(values), ...);
  return bytes;
}

// The text of a module with one kernel `k`, with the usual declarations around the given body.
std::string kernel_text(std::string_view parameters, std::string_view body,
                        std::string_view module_level = {});

}  // namespace clcuda::ptx::testing
