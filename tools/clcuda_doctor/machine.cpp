// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <regex>

#include "base/config.h"

namespace clcuda::doctor {

namespace fs = std::filesystem;

std::optional<std::string> read_file(const fs::path& path) {
  constexpr std::size_t kMost = 1 << 16;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return std::nullopt;
  std::string text(kMost, '\0');
  std::size_t filled = 0;
  ssize_t got = 0;
  while (filled < kMost && (got = ::read(file, text.data() + filled, kMost - filled)) > 0)
    filled += static_cast<std::size_t>(got);
  const int error = errno;
  ::close(file);
  errno = error;
  if (got < 0 && filled == 0) return std::nullopt;
  text.resize(filled);
  return text;
}

fs::path nearest_folder(const fs::path& path) {
  std::error_code error;
  fs::path nearest = fs::absolute(path, error);
  while (!fs::exists(nearest, error) && !error && nearest.has_relative_path())
    nearest = nearest.parent_path();
  return nearest / "";
}

std::string variable(const char* name) {
  const char* text = environment(name);
  return text ? text : "";
}

bool Machine::exists(const std::string& path) const {
  std::error_code error;
  return fs::exists(at(path), error);
}

std::optional<std::string> Machine::read(const std::string& path) const { return read_file(at(path)); }

std::vector<std::string> Machine::names_in(const std::string& path) const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator each(at(path), error), end; !error && each != end; each.increment(error))
    names.push_back(each->path().filename().native());
  std::ranges::sort(names);
  return names;
}

bool Machine::is_container() const { return exists("/.dockerenv") || exists("/run/.containerenv"); }

std::string Machine::kernel_module() const {
  const std::string text = read("/proc/driver/nvidia/version").value_or("");
  static const std::regex version("Kernel Module.*?([0-9]+\\.[0-9]+(\\.[0-9]+)?)");
  std::smatch match;
  return std::regex_search(text, match, version) ? match[1].str() : "";
}

bool Machine::has_driver_nodes() const { return exists("/dev/nvidiactl") || exists("/dev/dxg"); }

}  // namespace clcuda::doctor
