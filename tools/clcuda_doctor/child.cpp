// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <thread>

namespace clcuda::doctor {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;   // of each stream
constexpr std::chrono::seconds kLastGasp{1};  // for a process to end after it is killed

std::chrono::seconds longest = std::chrono::hours(1);

struct Pipe {
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  }
  ~Pipe() {
    close(0);
    close(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
  int ends[2];
};

[[noreturn]] void run_child(const Pipe& answers, const Pipe& errors,
                            const std::function<void(const ReportWriter&)>& body) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::dup2(errors.ends[1], STDOUT_FILENO);
  ::dup2(errors.ends[1], STDERR_FILENO);
  try {
    body(ReportWriter(answers.ends[1]));
  } catch (const std::exception& error) {
    ReportWriter(answers.ends[1]).write(std::string("exception"), std::string(error.what()));
  }
  // Skips the destructors of the libraries that were tried.
  ::_exit(0);
}

// Reads both streams to their ends; false if the first has not ended by `end`.
bool read_all(const Pipe& answers, const Pipe& errors, std::chrono::steady_clock::time_point end,
              std::array<std::string, 2>& texts) {
  std::array<pollfd, 2> streams{{{answers.ends[0], POLLIN, 0}, {errors.ends[0], POLLIN, 0}}};
  // A stream ends when the child and all its own children have ended. Only the first one has to end.
  while (streams[0].fd >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    if (::poll(streams.data(), streams.size(), static_cast<int>(left.count())) < 0 && errno != EINTR)
      return false;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (streams[i].fd < 0 || !streams[i].revents) continue;
      char bytes[4096];
      const ssize_t got = ::read(streams[i].fd, bytes, sizeof bytes);
      if (got > 0 && texts[i].size() < kMostBytes) texts[i].append(bytes, static_cast<std::size_t>(got));
      if (got == 0 || (got < 0 && errno != EINTR)) streams[i].fd = -1;
    }
  }
  return true;
}

// How a child ended; nothing if it did not end in time. (One that hangs in the kernel does not end even when it is killed.)
std::optional<int> end_of(pid_t child, std::chrono::steady_clock::time_point end) {
  constexpr std::chrono::milliseconds kPause{2};
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      ::kill(-child, SIGKILL);
      return std::nullopt;
    }
    std::this_thread::sleep_for(kPause);
  }
  return status;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

void understand(const std::array<std::string, 2>& texts, ChildReport& result) {
  for (const std::string& line : split(texts[0], '\n')) result.lines.push_back(split(line, '\t'));
  const std::vector<std::string> errors = split(texts[1], '\n');
  const auto last =
      std::find_if(errors.rbegin(), errors.rend(), [](const auto& line) { return !line.empty(); });
  if (last != errors.rend()) result.errors = last->substr(0, 400);
}

}  // namespace

const std::vector<std::string>* ChildReport::find(const std::string& key) const {
  const auto found = std::ranges::find_if(lines, [&](const auto& line) { return line[0] == key; });
  return found == lines.end() ? nullptr : &*found;
}

std::string ChildReport::value(const std::string& key) const {
  const auto* line = find(key);
  return line && line->size() > 1 ? (*line)[1] : std::string();
}

std::string ReportWriter::field(std::string text) {
  // An empty field must still count as a field.
  if (text.empty()) text = " ";
  std::ranges::replace_if(text, [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return text;
}

void ReportWriter::send(const std::string& line) const {
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void limit_children(std::chrono::seconds most) { longest = most; }

ChildReport ask_child(std::chrono::seconds limit, const std::function<void(const ReportWriter&)>& body) {
  limit = std::min(limit, longest);
  ChildReport result;
  Pipe answers, errors;
  const pid_t child = answers.ends[0] < 0 || errors.ends[0] < 0 ? -1 : ::fork();
  if (child < 0) {
    result.end = ChildReport::End::crashed;
    result.how = fmt::format("cannot be tried, as no process can be started: {}", std::strerror(errno));
    return result;
  }
  if (child == 0) run_child(answers, errors, body);
  ::setpgid(child, child);  // the child does this too, since either may come first
  answers.close(1);
  errors.close(1);
  std::array<std::string, 2> texts;
  const auto end = std::chrono::steady_clock::now() + limit;
  const bool in_time = read_all(answers, errors, end, texts);
  if (!in_time) ::kill(-child, SIGKILL);
  const std::optional<int> status =
      end_of(child, in_time ? end : std::chrono::steady_clock::now() + kLastGasp);
  understand(texts, result);
  if (!in_time || !status) {
    result.end = ChildReport::End::late;
    result.how = fmt::format("took longer than {} s", limit.count());
  } else if (WIFSIGNALED(*status)) {
    result.end = ChildReport::End::crashed;
    result.how =
        fmt::format("was ended by signal {} ({})", WTERMSIG(*status), ::strsignal(WTERMSIG(*status)));
  } else if (WEXITSTATUS(*status) != 0) {
    result.end = ChildReport::End::crashed;
    result.how = fmt::format("ended the process with code {}", WEXITSTATUS(*status));
  }
  return result;
}

}  // namespace clcuda::doctor
