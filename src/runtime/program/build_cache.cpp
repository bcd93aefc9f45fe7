// SPDX-License-Identifier: Apache-2.0
// On disk, the entry of a build's key is its result; or, if the build read or looked for files, a list of alternatives: the contents that
// the files must have, and the key of the result for these contents.
#include "runtime/program/build_cache.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/byte_string.h"
#include "runtime/program/cache_folder.h"
#include "runtime/program/lru_cache.h"

namespace clcuda {
namespace {

using compiler::FileDependencies;
using compiler::FileDependency;

constexpr std::size_t kMostAlternatives = 16;
constexpr std::size_t kMostBytesInMemory = 32 << 20;
constexpr char kResult = 'R', kAlternatives = 'A';

struct Known {
  FileDependencies files;
  Build build;
};
struct Alternative {
  FileDependencies files;
  Digest result;
};

LruCache<std::vector<Known>>& in_memory() {
  static auto& recent = *new LruCache<std::vector<Known>>(kMostBytesInMemory);
  return recent;
}

bool all_hold(const FileDependencies& files) { return std::ranges::all_of(files, compiler::holds); }

std::size_t size_of(const Build& build) {
  std::size_t texts = 0;
  for (const compiler::Translation& translation : build.program->translations) {
    texts += translation.source.size();
    for (const compiler::Header& header : translation.headers) texts += header.text.size();
  }
  return build.log.size() + build.program->bitcode.size() + build.program->uniform.ptx.size() + texts + 1024;
}

// An entry begins with its kind. FileStore has verified its bytes as a whole.
ByteWriter entry_of(char kind) {
  ByteWriter writer;
  writer.number(kind);
  return writer;
}
std::optional<ByteReader> open_entry(std::string_view bytes, char kind) {
  ByteReader reader(bytes);
  if (reader.number<char>() != kind) return std::nullopt;
  return reader;
}

void write(ByteWriter& writer, const Digest& digest) {
  writer.number(digest.low);
  writer.number(digest.high);
}
Digest read_digest(ByteReader& reader) {
  const auto low = reader.number<std::uint64_t>();
  return {low, reader.number<std::uint64_t>()};
}

std::string serialize(const Build& build) {
  ByteWriter writer = entry_of(kResult);
  writer.text(build.log);
  writer.text(compiler::serialize(*build.program));
  writer.text(build.program->bitcode);
  return writer.take();
}

std::optional<Build> parse_build(std::string_view bytes) {
  auto reader = open_entry(bytes, kResult);
  if (!reader) return std::nullopt;
  Build build{.status = compiler::Status::success, .log = std::string(reader->text()), .program = {}};
  auto program = compiler::parse(reader->text());
  if (!program) return std::nullopt;
  program->bitcode = reader->text();
  build.program = std::make_shared<const compiler::CompiledProgram>(std::move(*program));
  return build;
}

std::string serialize(const std::vector<Alternative>& alternatives) {
  ByteWriter writer = entry_of(kAlternatives);
  for (const Alternative& alternative : alternatives) {
    write(writer, alternative.result);
    writer.number(std::uint64_t{alternative.files.size()});
    for (const FileDependency& file : alternative.files) {
      writer.number(static_cast<std::uint64_t>(file.kind));
      writer.text(file.path);
      write(writer, file.content);
    }
  }
  return writer.take();
}

std::vector<Alternative> parse_alternatives(std::string_view bytes) {
  std::vector<Alternative> alternatives;
  auto reader = open_entry(bytes, kAlternatives);
  while (reader && reader->good() && !reader->at_end()) {
    Alternative alternative{.files = {}, .result = read_digest(*reader)};
    for (std::uint64_t count = reader->length(); count > 0 && reader->good(); --count) {
      const auto kind = static_cast<FileDependency::Kind>(reader->number<std::uint64_t>());
      std::string path(reader->text());
      alternative.files.push_back({kind, std::move(path), read_digest(*reader)});
    }
    if (reader->good()) alternatives.push_back(std::move(alternative));
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

void add_to_key(DigestOf& key, const compiler::DeviceFeatures& features) {
  for (const auto* names : {&features.extensions, &features.features})
    for (const std::string& name : *names) key(name);
  key(features.choice.opencl_version);
}

void add_to_key(DigestOf& key, const compiler::Source& source) {
  key(static_cast<int>(source.language))(source.bytes)(source.headers.size());
  for (const compiler::Header& header : source.headers) key(header.name)(header.text);
  key(source.specializations.size());
  for (const auto& [id, value] : source.specializations) key(id)(value);
}

// All of it: a link reads the objects' options, and a binary's signatures need not be those of its text.
void add_to_key(DigestOf& key, const compiler::CompiledProgram& program) {
  key(compiler::serialize(program))(program.bitcode);
}

std::optional<Build> find_build(const Digest& arguments) {
  return cache_is_on() ? find(arguments) : std::nullopt;
}

Build cached_build(const Digest& arguments, const std::function<compiler::Outcome()>& make) {
  if (auto build = find_build(arguments)) return *std::move(build);
  compiler::Outcome outcome = make();
  Known known{std::move(outcome.files), {outcome.status, std::move(outcome.log), {}}};
  if (outcome.status != compiler::Status::success) return known.build;
  known.build.program = std::make_shared<const compiler::CompiledProgram>(std::move(outcome.program));
  if (cache_is_on() && outcome.repeatable) {
    if (FileStore* folder = cache_folder()) keep_on_disk(*folder, arguments, known);
    remember(arguments, known);
  }
  return known.build;
}

}  // namespace clcuda
