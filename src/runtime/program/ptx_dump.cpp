// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/ptx_dump.h"

#include <fcntl.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/config.h"
#include "base/digest.h"
#include "base/file_size_signal.h"
#include "base/log.h"
#include "base/own_descriptor.h"

namespace clcuda {

void dump_ptx(std::string_view ptx) noexcept {
  if (config().dump.empty()) return;
  try {
    const std::filesystem::path folder = config().dump;
    std::filesystem::create_directories(folder);
    const std::filesystem::path path = folder / (digest(ptx).hex() + ".ptx");
    const FileSizeSignalBlocked blocked;
    const int descriptor =
        own_descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        descriptor < 0 ? nullptr : ::fdopen(descriptor, "w"), std::fclose);
    if (!file || make_empty(descriptor) != 0 ||
        std::fwrite(ptx.data(), 1, ptx.size(), file.get()) != ptx.size() || std::fflush(file.get()))
      log::warning("{} cannot be written", path.native());
  } catch (const std::exception& error) {
    log::warning("PTX cannot be written: {}", error.what());
  }
}

}  // namespace clcuda
