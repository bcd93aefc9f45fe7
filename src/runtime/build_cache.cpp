// SPDX-License-Identifier: Apache-2.0
// On disk, the key of a build has its result; or, where the build looked at files, a list of alternatives: what the files must be, and
// the key of the result then.
#include "runtime/build_cache.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/cache_folder.h"
#include "runtime/recent.h"

namespace clcuda {
namespace {

using compiler::FileDependencies;
using compiler::FileDependency;

constexpr std::size_t kMostAlternatives = 16;
constexpr std::size_t kMostBytesInMemory = 64 << 20;
constexpr char kResult = 'R', kAlternatives = 'A';

struct Known {
  FileDependencies files;
  Build build;
};
struct Alternative {
  FileDependencies files;
  Digest result;
};

Recent<std::vector<Known>>& in_memory() {
  static auto& recent = *new Recent<std::vector<Known>>(kMostBytesInMemory);
  return recent;
}

bool all_hold(const FileDependencies& files) { return std::ranges::all_of(files, compiler::holds); }

std::size_t size_of(const Build& build) {
  return build.log.size() + build.image->bitcode.size() + build.image->uniform.ptx.size() + 1024;
}

class Writer {
 public:
  explicit Writer(char kind) : bytes_(1, kind) {}
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  void number(std::uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void digest(const Digest& value) {
    number(value.low);
    number(value.high);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// The bytes are checked as a whole before they come here; still nothing beyond their end is read.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  std::string_view text() { return take(number()); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    if (const auto bytes = take(sizeof value); bytes.size() == sizeof value)
      std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  Digest digest() {
    const std::uint64_t low = number();
    return {low, number()};
  }
  bool more() const { return !rest_.empty(); }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) {
      rest_ = {};
      return {};
    }
    const auto bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  std::string_view rest_;
};

std::string serialize(const Build& build) {
  Writer writer(kResult);
  writer.text(build.log);
  writer.text(compiler::serialize(*build.image));
  return writer.take();
}

std::optional<Build> parse_build(std::string_view bytes) {
  if (bytes.empty() || bytes[0] != kResult) return std::nullopt;
  Reader reader(bytes.substr(1));
  Build build{.status = compiler::Status::success, .log = std::string(reader.text()), .image = {}};
  auto image = compiler::parse(reader.text());
  if (!image) return std::nullopt;
  build.image = std::make_shared<const compiler::ProgramImage>(std::move(*image));
  return build;
}

std::string serialize(const std::vector<Alternative>& alternatives) {
  Writer writer(kAlternatives);
  for (const Alternative& alternative : alternatives) {
    writer.digest(alternative.result);
    writer.number(alternative.files.size());
    for (const FileDependency& file : alternative.files) {
      writer.number(static_cast<std::uint64_t>(file.kind));
      writer.text(file.path);
      writer.digest(file.content);
    }
  }
  return writer.take();
}

std::vector<Alternative> parse_alternatives(std::string_view bytes) {
  std::vector<Alternative> alternatives;
  if (bytes.empty() || bytes[0] != kAlternatives) return alternatives;
  Reader reader(bytes.substr(1));
  while (reader.more()) {
    Alternative alternative{.files = {}, .result = reader.digest()};
    for (std::uint64_t count = reader.number(); count > 0 && reader.more(); --count) {
      const auto kind = static_cast<FileDependency::Kind>(reader.number());
      std::string path(reader.text());
      alternative.files.push_back({kind, std::move(path), reader.digest()});
    }
    alternatives.push_back(std::move(alternative));
  }
  return alternatives;
}

void remember(const Digest& key, Known known) {
  std::vector<Known> all = in_memory().find(key).value_or(std::vector<Known>());
  all.insert(all.begin(), std::move(known));
  if (all.size() > kMostAlternatives) all.pop_back();
  std::size_t bytes = 0;
  for (const Known& one : all) bytes += size_of(one.build);
  in_memory().keep(key, std::move(all), bytes);
}

std::optional<Build> find(const Digest& key) {
  if (const auto known = in_memory().find(key))
    for (const Known& one : *known)
      if (all_hold(one.files)) return one.build;
  FileStore* const folder = cache_folder();
  const std::optional<std::string> entry = folder ? folder->load(key) : std::nullopt;
  if (!entry) return std::nullopt;
  if (auto build = parse_build(*entry)) {
    remember(key, {{}, *build});
    return build;
  }
  for (Alternative& alternative : parse_alternatives(*entry)) {
    if (!all_hold(alternative.files)) continue;
    const auto result = folder->load(alternative.result);
    auto build = result ? parse_build(*result) : std::nullopt;
    if (!build) continue;
    remember(key, {std::move(alternative.files), *build});
    return build;
  }
  return std::nullopt;
}

void keep_on_disk(FileStore& folder, const Digest& key, const Known& known) {
  const std::string result = serialize(known.build);
  if (known.files.empty()) return folder.store(key, result);
  const Digest result_key = DigestOf()(key.hex())(result).finish();
  folder.store(result_key, result);
  // Two processes that do this at once lose one alternative, which costs a build.
  std::vector<Alternative> alternatives = parse_alternatives(folder.load(key).value_or(std::string()));
  std::erase_if(alternatives, [&](const Alternative& other) { return other.files == known.files; });
  alternatives.insert(alternatives.begin(), {known.files, result_key});
  if (alternatives.size() > kMostAlternatives) alternatives.resize(kMostAlternatives);
  folder.store(key, serialize(alternatives));
}

}  // namespace

Build cached_build(const Digest& arguments, const std::function<compiler::Outcome()>& make) {
  if (cache_is_on())
    if (auto build = find(arguments)) return *build;
  compiler::Outcome outcome = make();
  Known known{std::move(outcome.files), {outcome.status, std::move(outcome.log), {}}};
  if (outcome.status != compiler::Status::success) return known.build;
  known.build.image = std::make_shared<const compiler::ProgramImage>(std::move(outcome.image));
  if (cache_is_on() && outcome.repeatable) {
    if (FileStore* folder = cache_folder()) keep_on_disk(*folder, arguments, known);
    remember(arguments, known);
  }
  return known.build;
}

}  // namespace clcuda
