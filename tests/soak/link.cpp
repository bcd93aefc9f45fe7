// SPDX-License-Identifier: Apache-2.0
#include "soak/link.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <mutex>

namespace soak {
namespace {

void send_line(std::string line) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  line += '\n';
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t more = send(kLinkDescriptor, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (more <= 0) return;
    sent += static_cast<std::size_t>(more);
  }
}

}  // namespace

std::optional<Order> next_order(std::chrono::milliseconds within) {
  pollfd link{kLinkDescriptor, POLLIN, 0};
  if (poll(&link, 1, static_cast<int>(within.count())) <= 0) return std::nullopt;
  char order = 0;
  if (recv(kLinkDescriptor, &order, 1, 0) <= 0) _exit(2);
  return static_cast<Order>(order);
}

void tell(const char* word, long number) { send_line(std::string(word) + ' ' + std::to_string(number)); }

void tell_counts() {
  std::string line = kCounts;
  for (const std::uint64_t value : counted()) line += ' ' + std::to_string(value);
  send_line(std::move(line));
}

}  // namespace soak
