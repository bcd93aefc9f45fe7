// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/digest.h"
#include "compiler/compiler.h"

namespace clcuda {

// How a build ended; `program` is null if it failed.
struct Build {
  compiler::Status status = compiler::Status::failure;
  std::string log;
  std::shared_ptr<const compiler::CompiledProgram> program;
};

// Add the inputs of a build, and the device features that it is built for, to the build's key. The caller adds options and target.
void add_to_key(DigestOf& key, const compiler::DeviceFeatures& features);
void add_to_key(DigestOf& key, const compiler::Source& source);
void add_to_key(DigestOf& key, const compiler::CompiledProgram& program);

// Returns the result of an earlier build with the same key, from memory or from disk, or otherwise that of `make`. The source is not
// preprocessed for the key; a cached result is used only if the files that its build read, or searched for, are unchanged. Failed builds
// are not kept.
Build cached_build(const Digest& arguments, const std::function<compiler::Outcome()>& make);
// The same, if there is such a build.
std::optional<Build> find_build(const Digest& arguments);

}  // namespace clcuda
