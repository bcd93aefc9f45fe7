// SPDX-License-Identifier: Apache-2.0
#include "runtime/machine_code_cache.h"

#include <cstring>

#include "base/build_id.h"
#include "base/parallel.h"
#include "builtins/embedded.h"
#include "compiler/ptx_modules.h"
#include "runtime/cache_folder.h"
#include "runtime/device.h"
#include "runtime/ptx_dump.h"
#include "runtime/recent.h"

namespace clcuda {
namespace {

using Code = std::shared_ptr<const cuda::MachineCode>;

constexpr std::size_t kMostBytesInMemory = 32 << 20;

Recent<Code>& in_memory() {
  static auto& recent = *new Recent<Code>(kMostBytesInMemory);
  return recent;
}

cuda::LinkOptions link_options(const compiler::ProgramImage& image, const compiler::VariantCode& code,
                               std::string_view ptx) {
  cuda::LinkOptions options{.line_info = ptx.find("\t.loc\t") != std::string::npos, .verbose = image.verbose};
  if (code.needs_device_runtime) options.library = builtins::device_runtime();
  // The driver's highest level is one above ours.
  if (image.optimization_level < 3) options.optimization_level = image.optimization_level;
  return options;
}

// All that decides over the code: the text, the driver, the device (a CPU device's name is the processor's), how it is linked.
Digest key_of(const Device& device, const cuda::LinkOptions& options, std::string_view ptx) {
  int driver_version = 0;
  device.driver().cuDriverGetVersion(&driver_version);
  return DigestOf()("machine code")(build_id())(driver_version)(device.name())(device.target().sm)(
             options.line_info)(options.verbose)(options.optimization_level)(ptx)
      .finish();
}

// A module of a variant, and what its machine code is kept by.
struct Source {
  std::string_view ptx;
  cuda::LinkOptions options;
  Digest key;
};

std::vector<Source> sources_of(const Device& device, const compiler::ProgramImage& image,
                               const compiler::VariantCode& code) {
  std::vector<Source> sources;
  for (const std::string_view ptx : compiler::ptx_modules(code.ptx)) {
    Source& source = sources.emplace_back(ptx, link_options(image, code, ptx));
    if (cache_is_on()) source.key = key_of(device, source.options, ptx);
  }
  return sources;
}

// In a file: the length of the code, the code, the log.
std::string serialize(const cuda::MachineCode& code) {
  const std::uint64_t length = code.code.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + code.code + code.log;
}

Code parse(const std::string& bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) return {};
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length == 0 || length > bytes.size() - sizeof length) return {};
  return std::make_shared<const cuda::MachineCode>(
      cuda::MachineCode{bytes.substr(sizeof length, length), bytes.substr(sizeof length + length)});
}

void remember(const Digest& key, const Code& code) {
  in_memory().keep(key, code, code->code.size() + code->log.size());
}

Code make(Device& device, const Source& source) {
  auto made = std::make_shared<const cuda::MachineCode>(
      cuda::link_machine_code(device.context(), source.ptx, source.options));
  if (cache_is_on()) {
    if (FileStore* folder = cache_folder()) folder->store(source.key, serialize(*made));
    remember(source.key, made);
  }
  return made;
}

Code find(const Digest& key) {
  if (const auto known = in_memory().find(key)) return *known;
  const auto bytes = cache_folder() ? cache_folder()->load(key) : std::nullopt;
  Code stored = bytes ? parse(*bytes) : nullptr;
  if (stored) remember(key, stored);
  return stored;
}

}  // namespace

MachineCode new_machine_code(Device& device, const compiler::ProgramImage& image,
                             const compiler::VariantCode& code) {
  const std::vector<Source> sources = sources_of(device, image, code);
  MachineCode made(sources.size());
  in_parallel(made.size(), [&](std::size_t i) { made[i] = make(device, sources[i]); });
  return made;
}

MachineCode cached_machine_code(Device& device, const compiler::ProgramImage& image,
                                const compiler::VariantCode& code) {
  const std::vector<Source> sources = sources_of(device, image, code);
  MachineCode found(sources.size());
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < found.size(); ++i) {
    dump_ptx(sources[i].ptx);
    if (cache_is_on()) found[i] = find(sources[i].key);
    if (!found[i]) missing.push_back(i);
  }
  in_parallel(missing.size(), [&](std::size_t i) { found[missing[i]] = make(device, sources[missing[i]]); });
  return found;
}

}  // namespace clcuda
