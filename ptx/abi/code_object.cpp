// SPDX-License-Identifier: Apache-2.0
// The serialised form of a code object: a header (magic, version, checksum of the rest), the host that the code is for, then the members of
// CodeObjectDescription in order.
#include "ptx/abi/code_object.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <stdexcept>

namespace clcuda::ptx {
namespace {

constexpr std::string_view kMagic =
    "\x7f"
    "clcuda-ptx-cpu\x01";
constexpr std::uint32_t kVersion = 5;
constexpr std::size_t kBodyLengthOffset = 12;  // after the magic: version, checksum, length, body

class Writer {
 public:
  template <typename T>
  void number(T value) {
    static_assert(std::is_integral_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number<std::uint64_t>(value.size());
    bytes_.append(value);
  }
  template <typename List, typename Each>
  void list(const List& values, Each each) {
    number<std::uint64_t>(values.size());
    for (const auto& value : values) each(value);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T number() {
    T value;
    std::memcpy(&value, raw(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(raw(number<std::uint64_t>())); }
  template <typename Each>
  void list(Each each) {
    const auto count = number<std::uint64_t>();
    if (count > bytes_.size()) throw std::runtime_error("damaged code object: a count beyond its end");
    for (std::uint64_t i = 0; i < count; ++i) each();
  }

 private:
  std::string_view raw(std::uint64_t size) {
    if (size > bytes_.size()) throw std::runtime_error("damaged code object: it ends early");
    const std::string_view part = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return part;
  }

  std::string_view bytes_;
};

void write_kernel(Writer& out, const KernelCode& kernel) {
  const KernelDescription& description = kernel.description;
  out.text(description.name);
  out.list(description.parameters, [&](const KernelParameter& parameter) {
    for (const auto value : {parameter.offset, parameter.size, parameter.alignment}) out.number(value);
  });
  for (const auto value : {description.parameter_bytes, description.static_shared_bytes,
                           description.local_bytes, description.registers, description.max_threads})
    out.number(value);
  for (const auto value : description.required_block) out.number(value);
  out.text(kernel.symbol);
  out.list(kernel.waits, [&](Wait wait) { out.number(static_cast<std::uint8_t>(wait)); });
  out.list(kernel.exits, [&](std::uint32_t exit) { out.number(exit); });
  for (const auto value : {kernel.slot_bytes, kernel.kept_local_bytes, kernel.dynamic_shared_offset})
    out.number(value);
}

KernelCode read_kernel(Reader& in) {
  KernelCode kernel;
  KernelDescription& description = kernel.description;
  description.name = in.text();
  in.list([&] {
    KernelParameter parameter;
    for (auto* value : {&parameter.offset, &parameter.size, &parameter.alignment})
      *value = in.number<std::uint32_t>();
    description.parameters.push_back(parameter);
  });
  for (auto* value : {&description.parameter_bytes, &description.static_shared_bytes,
                      &description.local_bytes, &description.registers, &description.max_threads})
    *value = in.number<std::uint32_t>();
  for (auto& value : description.required_block) value = in.number<std::uint32_t>();
  kernel.symbol = in.text();
  in.list([&] {
    const auto wait = in.number<std::uint8_t>();
    if (wait > static_cast<std::uint8_t>(Wait::block_barrier))
      throw std::runtime_error("damaged code object: unknown operation");
    kernel.waits.push_back(static_cast<Wait>(wait));
  });
  in.list([&] { kernel.exits.push_back(in.number<std::uint32_t>()); });
  if (kernel.exits.size() != (kernel.waits.empty() ? 0 : kernel.waits.size() + 1))
    throw std::runtime_error("damaged code object: regions without exits");
  for (const std::uint32_t exit : kernel.exits)
    if (exit < kStateVaries && (exit == 0 || exit > kernel.waits.size()))
      throw std::runtime_error("damaged code object: an unknown state");
  for (auto* value : {&kernel.slot_bytes, &kernel.kept_local_bytes, &kernel.dynamic_shared_offset})
    *value = in.number<std::uint32_t>();
  return kernel;
}

void write_globals(Writer& out, const GlobalsDescription& globals) {
  out.number(globals.bytes);
  out.list(globals.initial, [&](const InitialBytes& initial) {
    out.number(initial.where);
    out.text(initial.bytes);
  });
  out.list(globals.fixups, [&](const AddressFixup& fixup) {
    out.number(fixup.where);
    out.number(fixup.target);
    out.number(fixup.bytes);
    out.number(fixup.shift);
  });
  out.list(globals.exported, [&](const GlobalEntry& entry) {
    out.text(entry.name);
    out.number(entry.offset);
    out.number(entry.size);
  });
}

void check_range(std::uint64_t offset, std::uint64_t size, std::uint64_t whole) {
  if (offset > whole || size > whole - offset)
    throw std::runtime_error("damaged code object: an offset outside the variables");
}

GlobalsDescription read_globals(Reader& in) {
  GlobalsDescription globals;
  globals.bytes = in.number<std::uint64_t>();
  in.list([&] {
    InitialBytes initial;
    initial.where = in.number<std::uint64_t>();
    initial.bytes = in.text();
    check_range(initial.where, initial.bytes.size(), globals.bytes);
    globals.initial.push_back(std::move(initial));
  });
  in.list([&] {
    AddressFixup fixup;
    fixup.where = in.number<std::uint64_t>();
    fixup.target = in.number<std::uint64_t>();
    fixup.bytes = in.number<std::uint8_t>();
    fixup.shift = in.number<std::uint8_t>();
    check_range(fixup.where, fixup.bytes, globals.bytes);
    if (fixup.bytes > 8 || fixup.shift > 56)
      throw std::runtime_error("damaged code object: a malformed address");
    globals.fixups.push_back(fixup);
  });
  in.list([&] {
    GlobalEntry entry;
    entry.name = in.text();
    entry.offset = in.number<std::uint64_t>();
    entry.size = in.number<std::uint64_t>();
    check_range(entry.offset, entry.size, globals.bytes);
    globals.exported.push_back(std::move(entry));
  });
  return globals;
}

}  // namespace

bool is_code_object(std::string_view bytes) { return bytes.starts_with(kMagic); }

std::size_t code_object_size(const void* bytes) {
  const auto* begin = static_cast<const char*>(bytes);
  // Compared byte by byte, because data that is not a code object may be shorter than the magic.
  for (std::size_t i = 0; i < kMagic.size(); ++i)
    if (begin[i] != kMagic[i]) return 0;
  std::uint64_t body;
  std::memcpy(&body, begin + kMagic.size() + kBodyLengthOffset, sizeof body);
  return kMagic.size() + kBodyLengthOffset + sizeof body + body;
}

std::string serialize(const CodeObjectDescription& object, std::string_view host) {
  Writer out;
  out.text(host);
  out.list(object.kernels, [&](const KernelCode& kernel) { write_kernel(out, kernel); });
  write_globals(out, object.globals);
  out.text(object.object);
  out.list(object.units, [&](const std::string& unit) { out.text(unit); });
  const std::string body = out.take();
  Writer header;
  header.number(kVersion);
  header.number<std::uint64_t>(XXH3_64bits(body.data(), body.size()));
  header.text(body);
  return std::string(kMagic) + header.take();
}

CodeObjectDescription deserialize(std::string_view bytes, std::string_view host) {
  if (!is_code_object(bytes)) throw std::runtime_error("not a code object of the CPU executor");
  Reader header(bytes.substr(kMagic.size()));
  if (header.number<std::uint32_t>() != kVersion)
    throw std::runtime_error("a code object of another version");
  const auto checksum = header.number<std::uint64_t>();
  const std::string body = header.text();
  if (checksum != XXH3_64bits(body.data(), body.size()))
    throw std::runtime_error("damaged code object: wrong checksum");
  Reader in(body);
  if (in.text() != host) throw std::runtime_error("a code object for another host");
  CodeObjectDescription object;
  in.list([&] { object.kernels.push_back(read_kernel(in)); });
  object.globals = read_globals(in);
  object.object = in.text();
  in.list([&] { object.units.push_back(in.text()); });
  return object;
}

}  // namespace clcuda::ptx
