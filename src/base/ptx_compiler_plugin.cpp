// SPDX-License-Identifier: Apache-2.0
#include "base/ptx_compiler_plugin.h"

#include <filesystem>

#include "base/config.h"

namespace clcuda {
namespace {

std::string data_folder() {
  if (const char* data = environment("XDG_DATA_HOME"); data && *data == '/') return data;
  const char* home = environment("HOME");
  return home && *home == '/' ? std::string(home) + "/.local/share" : std::string();
}

}  // namespace

std::string find_ptx_compiler_plugin(const std::string& folder_of_library) {
  if (const std::string& named = config().ptx_compiler; !named.empty())
    return named == "0" ? std::string() : named;
  const std::string data = data_folder();
  for (const std::string& folder :
       {folder_of_library, std::string("/usr/local/lib/clcuda"), data.empty() ? data : data + "/clcuda"}) {
    std::error_code ignored;
    std::string file = folder + "/" + kPtxCompilerPlugin;
    if (!folder.empty() && std::filesystem::exists(file, ignored)) return file;
  }
  return {};
}

}  // namespace clcuda
