// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/digest.h"
#include "compiler/compiler.h"

namespace clcuda {

// How a build ended; `image` is null if it failed.
struct Build {
  compiler::Status status = compiler::Status::failure;
  std::string log;
  std::shared_ptr<const compiler::CompiledProgram> image;
};

// What a program is made from and for, but for options and target.
void add_to_key(DigestOf& key, const compiler::DeviceFeatures& features);
void add_to_key(DigestOf& key, const compiler::Source& source);
void add_to_key(DigestOf& key, const compiler::CompiledProgram& image);

// What the compiler made before, in this process or (on disk) in any other: found by the arguments of the build alone, without
// preprocessing, and only if the files that the build looked at are what they were then. `make` runs where there is nothing. Builds
// that fail are not kept.
Build cached_build(const Digest& arguments, const std::function<compiler::Outcome()>& make);

}  // namespace clcuda
