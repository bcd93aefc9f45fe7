// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/ptx_dump.h"

#include <filesystem>
#include <fstream>

#include "base/config.h"
#include "base/digest.h"
#include "base/log.h"

namespace clcuda {

void dump_ptx(std::string_view ptx) noexcept {
  if (config().dump.empty()) return;
  try {
    const std::filesystem::path folder = config().dump;
    std::filesystem::create_directories(folder);
    const std::filesystem::path path = folder / (digest(ptx).hex() + ".ptx");
    std::ofstream file(path);
    file << ptx;
    if (!file.flush()) log::warning("{} cannot be written", path.native());
  } catch (const std::exception& error) {
    log::warning("PTX cannot be written: {}", error.what());
  }
}

}  // namespace clcuda
