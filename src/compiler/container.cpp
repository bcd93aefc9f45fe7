// SPDX-License-Identifier: Apache-2.0
// The bytes of a program binary: a header (magic, version, size and checksum of the rest), then the fields of CompiledProgram in order,
// integers little-endian, strings and lists preceded by their length. One description of the fields is used for reading and writing.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>
#include <string_view>
#include <type_traits>

#include "base/byte_string.h"
#include "builtins/image_descriptor.h"
#include "compiler/compiled_program.h"
#include "compiler/target.h"

namespace clcuda::compiler {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr char kMagic[8] = {'c', 'l', 'c', 'u', 'd', 'a', '\r', '\n'};
// To be raised with every change of the fields below or of their meaning: the layout of the parameter buffer, the launch record, the printf
// buffer.
constexpr std::uint32_t kVersion = 18;

struct FileHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t reserved;
  std::uint64_t payload_size;
  std::uint64_t checksum;
};
static_assert(sizeof(FileHeader) == 32);

// Serialises the fields below: numbers, strings, enumerations (checked against their last value), lists, optional numbers.
class Writer {
 public:
  template <class Number>
    requires std::is_arithmetic_v<Number>
  void operator()(const Number& value) {
    bytes_.number(value);
  }
  void operator()(const std::string& text) { bytes_.text(text); }
  template <class Enumeration>
    requires std::is_enum_v<Enumeration>
  void enumeration(const Enumeration& value, Enumeration) {
    (*this)(static_cast<std::underlying_type_t<Enumeration>>(value));
  }
  template <class Item, class Each>
  void list(const std::vector<Item>& items, Each each) {
    (*this)(std::uint64_t{items.size()});
    for (const Item& item : items) each(item);
  }
  template <class Number>
  void optional(const std::optional<Number>& value) {
    (*this)(value.has_value());
    (*this)(value.value_or(Number{}));
  }
  std::string take() { return bytes_.take(); }

 private:
  ByteWriter bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
    requires std::is_arithmetic_v<Number>
  void operator()(Number& value) {
    value = bytes_.number<Number>();
  }
  void operator()(std::string& text) { text = bytes_.text(); }
  template <class Enumeration>
    requires std::is_enum_v<Enumeration>
  void enumeration(Enumeration& value, Enumeration last) {
    using Number = std::underlying_type_t<Enumeration>;
    const auto number = bytes_.number<Number>();
    if (number > static_cast<Number>(last)) bytes_.fail();
    value = bytes_.good() ? static_cast<Enumeration>(number) : Enumeration{};
  }
  template <class Item, class Each>
  void list(std::vector<Item>& items, Each each) {
    const std::uint64_t count = bytes_.length();
    for (std::uint64_t i = 0; i < count && bytes_.good(); ++i) each(items.emplace_back());
  }
  template <class Number>
  void optional(std::optional<Number>& value) {
    const bool present = bytes_.number<bool>();
    const auto number = bytes_.number<Number>();
    if (present) value = number;
  }
  bool complete() const { return bytes_.good() && bytes_.at_end(); }

 private:
  ByteReader bytes_;
};

template <class Archive, class Argument>
void argument_fields(Archive& archive, Argument& a) {
  archive.enumeration(a.kind, ArgumentKind::queue);
  archive.enumeration(a.address, AddressQualifier::private_);
  archive.enumeration(a.access, AccessQualifier::none);
  for (auto* flag : {&a.is_const, &a.is_restrict, &a.is_volatile, &a.is_pipe, &a.is_written}) archive(*flag);
  archive(a.type_name);
  archive(a.name);
  archive(a.image_type);
  for (auto* number : {&a.size, &a.offset, &a.parameter_size, &a.pointee_alignment}) archive(*number);
}

template <class Archive, class Kernel>
void kernel_fields(Archive& archive, Kernel& k) {
  archive(k.name);
  archive(k.attributes);
  archive.list(k.arguments, [&](auto& argument) { argument_fields(archive, argument); });
  archive(k.tells_arguments);
  for (auto& size : k.required_work_group_size) archive(size);
  for (auto& size : k.work_group_size_hint) archive(size);
  archive(k.required_sub_group_size);
  archive(k.required_sub_group_count);
  archive(k.uniform_work_group_size);
  archive(k.parameter_size);
  archive(k.static_local_size);
}

template <class Archive, class Code>
void code_fields(Archive& archive, Code& code) {
  archive(code.ptx);
  for (auto* kernels : {&code.kernels, &code.initializers, &code.finalizers}) {
    archive.list(*kernels, [&](auto& kernel) {
      archive(kernel.symbol);
      archive(kernel.image_parts_offset);
      archive.list(kernel.image_parts, [&](auto& part) {
        archive(part.argument);
        archive(part.place);
      });
      archive.list(kernel.known_images, [&](auto& known) {
        archive(known.argument);
        archive(known.asks_order);
        archive(known.asks_format);
        archive(known.order);
        archive(known.format);
      });
      archive.optional(kernel.launch_record_offset);
      archive(kernel.uses_printf);
      archive(kernel.printf_bytes);
      archive(kernel.waits);
      archive(kernel.distinct_arguments);
      archive(kernel.enqueues);
    });
  }
  archive(code.needs_device_runtime);
}

template <class Archive, class Translation>
void translation_fields(Archive& archive, Translation& translation) {
  archive.enumeration(translation.language, Language::spirv);
  archive(translation.source);
  archive.list(translation.headers, [&](auto& header) {
    archive(header.name);
    archive(header.text);
  });
  archive.list(translation.specializations, [&](auto& specialization) {
    archive(specialization.id);
    archive(specialization.value);
  });
  archive(translation.options);
  archive(translation.folder);
  archive(translation.language_choice.device_enqueue);
  archive(translation.language_choice.intel_subgroups);
  archive(translation.language_choice.opencl_version);
}

template <class Archive, class Program>
void program_fields(Archive& archive, Program& program) {
  archive.enumeration(program.kind, BinaryKind::executable);
  archive(program.target.sm);
  archive(program.target.ptx);
  archive(program.target.whole_chip);
  archive.list(program.translations, [&](auto& translation) { translation_fields(archive, translation); });
  archive.list(program.kernels, [&](auto& kernel) { kernel_fields(archive, kernel); });
  code_fields(archive, program.uniform);
  archive(program.uniform_is_general);
  archive(program.global_variable_size);
  archive(program.literal_samplers);
  archive(program.options);
  archive.list(program.printf_formats, [&](auto& format) { archive(format); });
  archive(program.verbose);
  archive(program.optimization_level);
  archive(program.max_registers);
}

// Bounds far above anything that this compiler emits; they keep sums of the values read from overflowing.
constexpr std::uint32_t kMostParameterBytes = 1 << 16, kMostLocalBytes = 1 << 20, kMostAlignment = 1 << 12;

// Whether the argument lies within the kernel's parameters and has enough space for its kind.
bool is_consistent(const ArgumentInfo& argument, const KernelInfo& kernel) {
  const bool lies_within = argument.parameter_size <= kernel.parameter_size &&
                           argument.offset <= kernel.parameter_size - argument.parameter_size;
  const std::uint32_t needed = argument.kind == ArgumentKind::value           ? argument.size
                               : argument.kind == ArgumentKind::local_pointer ? 4
                                                                              : 8;
  return lies_within && argument.parameter_size >= needed &&
         std::has_single_bit(argument.pointee_alignment) && argument.pointee_alignment <= kMostAlignment;
}

bool is_consistent(const KernelInfo& kernel) {
  return kernel.parameter_size <= kMostParameterBytes && kernel.static_local_size <= kMostLocalBytes &&
         std::ranges::all_of(kernel.arguments,
                             [&](const ArgumentInfo& argument) { return is_consistent(argument, kernel); });
}

// ImagePart::argument is not checked: the launch ignores an offset that is not that of an image argument.
bool is_consistent(const KernelCode& code, const KernelInfo& kernel) {
  const auto lies_in_descriptor = [](const ImagePart& part) {
    return part.place <= sizeof(clcuda_image) - kImagePartSize;
  };
  if (code.image_parts_offset > kernel.parameter_size + kMostAlignment ||
      code.image_parts.size() > kMostParameterBytes / kImagePartSize ||
      !std::ranges::all_of(code.image_parts, lies_in_descriptor))
    return false;
  const std::size_t end = kernel.parameter_size + code.image_parts.size() * kImagePartSize;
  return !code.launch_record_offset ||
         (*code.launch_record_offset >= end && *code.launch_record_offset <= end + kMostAlignment);
}

// Some fields are used with one source language only.
bool is_consistent(const Translation& translation) {
  const int version = translation.language_choice.opencl_version;
  if (version != 300 && version != 310) return false;
  if (translation.language == Language::spirv)
    return translation.headers.empty() && translation.folder.empty();
  return translation.specializations.empty();
}

// Rules about several fields at once.
bool is_consistent(const CompiledProgram& program) {
  const auto& codes = program.uniform.kernels;
  if (program.target.whole_chip && !has_whole_chip(program.target)) return false;
  if (!std::ranges::all_of(program.translations, [](const auto& each) { return is_consistent(each); }))
    return false;
  if (program.kind != BinaryKind::executable) return codes.empty() && program.kernels.empty();
  if (codes.size() != program.kernels.size() || program.optimization_level < 0 ||
      program.optimization_level > 3 || program.max_registers < 0)
    return false;
  std::set<std::string_view> names;
  for (const KernelInfo& kernel : program.kernels)
    if (!names.insert(kernel.name).second) return false;
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (!is_consistent(program.kernels[i]) || !is_consistent(codes[i], program.kernels[i])) return false;
  for (const auto* kernels : {&program.uniform.initializers, &program.uniform.finalizers})
    for (const KernelCode& code : *kernels)
      if (!is_consistent(code, KernelInfo{})) return false;
  return true;
}

}  // namespace

std::string serialize(const CompiledProgram& program) {
  Writer writer;
  program_fields(writer, program);
  const std::string payload = writer.take();
  FileHeader header{{}, kVersion, 0, payload.size(), XXH3_64bits(payload.data(), payload.size())};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  return bytes += payload;
}

bool begins_as_binary(std::string_view bytes) {
  return bytes.starts_with(std::string_view(kMagic, sizeof kMagic));
}

std::optional<CompiledProgram> parse(std::string_view bytes) {
  FileHeader header;
  if (bytes.size() < sizeof header || !begins_as_binary(bytes)) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::string_view payload = bytes.substr(sizeof header);
  if (header.version != kVersion || header.reserved != 0 || header.payload_size != payload.size() ||
      header.checksum != XXH3_64bits(payload.data(), payload.size())) {
    return std::nullopt;
  }
  Reader reader(payload);
  CompiledProgram program;
  program_fields(reader, program);
  if (!reader.complete() || !is_consistent(program)) return std::nullopt;
  return program;
}

}  // namespace clcuda::compiler
