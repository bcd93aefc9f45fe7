// SPDX-License-Identifier: Apache-2.0
#include "base/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/own_descriptor.h"

namespace clcuda {
namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : number_(own_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool is_regular_file() const {
    struct stat status{};
    return number_ >= 0 && ::fstat(number_, &status) == 0 && S_ISREG(status.st_mode);
  }
  ssize_t read(char* to, std::size_t size) const {
    ssize_t got;
    do got = ::read(number_, to, size);
    while (got < 0 && errno == EINTR);
    return got;
  }

 private:
  const int number_;
};

}  // namespace

// The size that files of /proc report is 0, so all are read to their end.
std::optional<std::string> read_file(const std::string& path, std::size_t most) {
  const Descriptor file(path);
  if (!file.is_regular_file()) return std::nullopt;
  constexpr std::size_t kFirst = 4096;
  std::string bytes;
  for (std::size_t filled = 0;;) {
    bytes.resize(std::min(std::max(kFirst, 2 * filled), most + 1));
    const ssize_t got = file.read(bytes.data() + filled, bytes.size() - filled);
    if (got < 0) return std::nullopt;
    filled += static_cast<std::size_t>(got);
    if (filled > most) return std::nullopt;
    if (got > 0) continue;
    bytes.resize(filled);
    return bytes;
  }
}

}  // namespace clcuda
