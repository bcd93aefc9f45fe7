// SPDX-License-Identifier: Apache-2.0
#include "soak/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace soak {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& more) {
  std::vector<std::string> all;
  for (char** each = environ; *each; ++each) {
    const std::string pair = *each;
    if (!more.contains(pair.substr(0, pair.find('=')))) all.push_back(pair);
  }
  for (const auto& [name, value] : more) all.push_back(name + '=' + value);
  return all;
}

}  // namespace

Child::Child(const Start& start) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) std::abort();
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  link_ = ends[0];
  std::vector<std::string> words = start.options, environment = environment_with(start.environment);
  words.insert(words.begin(), "soak");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], kLinkDescriptor);
  if (posix_spawn(&id_, "/proc/self/exe", &actions, nullptr, pointers(words).data(),
                  pointers(environment).data()) != 0)
    std::abort();
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
}

Child::~Child() {
  kill();
  close(link_);
}

void Child::order(Order order) const { (void)!send(link_, &order, 1, MSG_NOSIGNAL); }

void Child::listen() {
  char text[4096];
  for (ssize_t size; (size = recv(link_, text, sizeof text, 0)) > 0;)
    rest_of_line_.append(text, static_cast<std::size_t>(size));
  for (std::size_t end; (end = rest_of_line_.find('\n')) != std::string::npos;) {
    take_line(rest_of_line_.substr(0, end));
    rest_of_line_.erase(0, end + 1);
  }
}

void Child::take_line(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  if (word == kCounts) {
    for (std::uint64_t& count : counts_) words >> count;
    return;
  }
  long number = 0;
  words >> number;
  said_[word] = number;
}

std::optional<long> Child::take(const char* word) {
  const auto found = said_.find(word);
  if (found == said_.end()) return std::nullopt;
  const long number = found->second;
  said_.erase(found);
  return number;
}

std::optional<int> Child::exit_code() {
  int status = 0;
  if (!code_ && waitpid(id_, &status, WNOHANG) == id_) {
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    listen();
  }
  return code_;
}

void Child::kill() {
  if (exit_code()) return;
  ::kill(id_, SIGKILL);
  waitpid(id_, nullptr, 0);
  code_ = 128 + SIGKILL;
  listen();
}

}  // namespace soak
