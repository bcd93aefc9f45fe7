// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

namespace faults {
namespace {

// Reads the child's messages. Returns false if none arrives within the limit before the child ends.
bool listen(int pipe, std::chrono::seconds limit, Child::Result& result) {
  std::string text;
  char part[4096];
  pollfd watched{.fd = pipe, .events = POLLIN};
  for (;;) {
    if (poll(&watched, 1, static_cast<int>(limit.count() * 1000)) <= 0) return false;
    const ssize_t size = read(pipe, part, sizeof part);
    if (size <= 0) return true;
    text.append(part, static_cast<std::size_t>(size));
    for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
      const std::string word = text.substr(1, end - 1);
      if (text[0] == '@') result.last_place = word;
      if (text[0] == '!') result.complaints += result.last_place + ": " + word + '\n';
      if (text[0] == '=') result.number = std::stoull(word);
    }
  }
}

}  // namespace

void Child::Voice::say(char kind, const std::string& text) const {
  const std::string line = kind + text + '\n';
  if (write(pipe_, line.data(), line.size()) < 0) std::abort();
}

Child::Result Child::run(const std::function<void(const Voice&)>& body, std::chrono::seconds limit) {
  int ends[2];
  Result result;
  std::cout.flush();
  std::fflush(nullptr);
  if (pipe(ends) != 0) return {.complaints = "no pipe\n"};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    body(Voice(ends[1]));
    std::exit(0);
  }
  close(ends[1]);
  const bool ended = child > 0 && listen(ends[0], limit, result);
  close(ends[0]);
  if (child < 0) return {.complaints = "no process\n"};
  if (!ended) {
    kill(child, SIGKILL);
    result.complaints += result.last_place + ": hangs\n";
  }
  int status = 0;
  waitpid(child, &status, 0);
  result.ended_well = ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (ended && WIFSIGNALED(status))
    result.complaints += result.last_place + ": " + strsignal(WTERMSIG(status)) + '\n';
  else if (ended && !result.ended_well)
    result.complaints += result.last_place + ": ends with " + std::to_string(WEXITSTATUS(status)) + '\n';
  return result;
}

}  // namespace faults
