// SPDX-License-Identifier: Apache-2.0
// clcuda-doctor: why programs do not find clcuda's devices, or cannot use them, and what to do about it.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/version.h"
#include "checks.h"
#include "child.h"

namespace {

using namespace clcuda::doctor;

struct Topic {
  std::string_view name, text;
  void (*check)(const Machine&, Report&);
};
constexpr Topic kTopics[] = {
#define TOPIC(name, text) {#name, text, check_##name},
#include "topics.def"
#undef TOPIC
};

struct Options {
  bool json = false, wrong = false;
  std::string answer;  // printed instead of running the checks
  std::string root = "/";
  std::vector<std::string_view> only;
  bool wants(const Topic& topic) const {
    if (only.empty()) return true;
    for (const std::string_view name : only)
      if (name == topic.name) return true;
    return false;
  }
};

std::string usage() {
  std::string text =
      "clcuda-doctor [--json] [--only TOPIC,…] [--root FOLDER] [--limit SECS]: why programs do not find "
      "clcuda's devices, "
      "or cannot\n"
      "use them, and what to do about it.\n\n"
      "  --json         for machines, and for reports of problems\n"
      "  --only TOPIC   looks at these topics only\n"
      "  --root FOLDER  looks for the system's files (/etc, /proc, /dev, /sys, /run) below this folder\n"
      "  --limit SECS   gives each probe of a library so many seconds at most\n"
      "  --list         prints the ids of all problems and notes, which docs/troubleshooting.md explains\n"
      "  --version, --help\n\nTopics:\n";
  for (const Topic& topic : kTopics) text += fmt::format("  {:<12} {}\n", topic.name, topic.text);
  return text +
         "\nThe exit code is 0 if there is no problem, 1 if there is one, 2 if the options are wrong.\n";
}

bool add_topics(std::string_view words, Options& options) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(','));
    bool known = false;
    for (const Topic& topic : kTopics) known = known || topic.name == word;
    if (!known) return false;
    options.only.push_back(word);
    words.remove_prefix(std::min(word.size() + 1, words.size()));
  }
  return !options.only.empty();
}

bool set_limit(std::string_view text) {
  constexpr int kMost = 3600;
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 1 || seconds > kMost)
    return false;
  limit_children(std::chrono::seconds(seconds));
  return true;
}

// An option with a value, as "--name value" or "--name=value"; null if it is another, or has none.
const char* value_of(std::string_view name, char** arguments, int& i) {
  const std::string_view word = arguments[i];
  if (word.starts_with(name) && word.substr(name.size()).starts_with('='))
    return arguments[i] + name.size() + 1;
  return word == name ? arguments[i + 1] ? arguments[++i] : nullptr : nullptr;
}

Options parse(char** arguments) {
  Options options;
  for (int i = 1; arguments[i] && !options.wrong; ++i) {
    const std::string_view word = arguments[i];
    if (word == "--json")
      options.json = true;
    else if (word == "--help")
      options.answer = usage();
    else if (word == "--version")
      options.answer = "clcuda-doctor " CLCUDA_VERSION "\n";
    else if (word == "--list")
      options.answer = list_of_findings();
    else if (const char* topics = value_of("--only", arguments, i))
      options.wrong = !add_topics(topics, options);
    else if (const char* root = value_of("--root", arguments, i))
      options.root = root;
    else if (const char* limit = value_of("--limit", arguments, i))
      options.wrong = !set_limit(limit);
    else
      options.wrong = true;
  }
  return options;
}

int run_checks(const Options& options) {
  const Machine machine(options.root);
  Report report;
  for (const Topic& topic : kTopics)
    if (options.wants(topic)) topic.check(machine, report);
  const std::string text = options.json ? report.as_json(CLCUDA_VERSION) : report.as_text();
  std::fputs(text.c_str(), stdout);
  return report.count(Severity::problem) > 0 ? 1 : 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 1) return 2;
  try {
    const Options options = parse(arguments);
    if (options.wrong) {
      std::fputs(usage().c_str(), stderr);
      return 2;
    }
    if (options.answer.empty()) return run_checks(options);
    std::fputs(options.answer.c_str(), stdout);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "clcuda-doctor: %s\n", error.what());
    return 1;
  }
}
