// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel_info.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "compiler/passes/abi/limit_parameter_alignment.h"
#include "compiler/passes/address_spaces.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"
#include "compiler/passes/optimize/specialize_image_queries.h"
#include "compiler/pointer_writes.h"
#include "compiler/ptx_names.h"
#include "compiler/uniform_addresses.h"

namespace clcuda::compiler {
namespace {

constexpr char kArgumentNames[] = "kernel_arg_name";  // Clang emits it with -cl-kernel-arg-info only

std::string string_operand(const llvm::Function& kernel, const char* kind, unsigned index) {
  return argument_text(kernel, kind, index).str();
}

std::uint32_t integer_operand(const llvm::MDNode& node, unsigned index) {
  return static_cast<std::uint32_t>(
      llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(index))->getZExtValue());
}

bool has_word(const std::string& words, std::string_view word) {
  return (" " + words + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

AccessQualifier access_of(const std::string& text) {
  if (text == "read_only") return AccessQualifier::read_only;
  if (text == "write_only") return AccessQualifier::write_only;
  if (text == "read_write") return AccessQualifier::read_write;
  return AccessQualifier::none;
}

// Clang's metadata numbers OpenCL's address spaces as SPIR does.
AddressQualifier address_of(std::uint32_t number) {
  switch (number) {
    case 1:
      return AddressQualifier::global;
    case 2:
      return AddressQualifier::constant;
    case 3:
      return AddressQualifier::local;
    default:
      return AddressQualifier::private_;
  }
}

// The address space of an LLVM type, which is numbered as in NVPTX.
AddressQualifier address_of(const llvm::Type& pointer) {
  switch (pointer.getPointerAddressSpace()) {
    case 3:
      return AddressQualifier::local;
    case 4:
      return AddressQualifier::constant;
    default:
      return AddressQualifier::global;
  }
}

// C++ for OpenCL: to an application a reference is a pointer. Clang describes it as a value whose type contains all qualifiers: "const
// __global unsigned int &", "int *const __global &".
class ReferenceType {
 public:
  explicit ReferenceType(const std::string& spelling) {
    std::string spaced;
    for (const char c : spelling) spaced += is_operator(c) ? std::string{' ', c, ' '} : std::string{c};
    llvm::SmallVector<llvm::StringRef> words;
    llvm::StringRef(spaced).split(words, ' ', -1, /*KeepEmpty=*/false);
    for (const llvm::StringRef word : words) take(word.str());
  }

  // Spelled as Clang spells pointer types: without qualifiers, unsigned types by their short names.
  const std::string& name() const { return name_; }
  // The qualifiers of the referenced type.
  const std::string& qualifiers() const { return qualifiers_; }

 private:
  static bool is_operator(char c) { return c == '*' || c == '&'; }

  void take(const std::string& word) {
    constexpr std::array kQualifiers = {"const",      "volatile",  "restrict",  "__restrict", "__global",
                                        "__constant", "__private", "__generic", "__local"};
    if (word == "*") qualifiers_.clear();
    if (std::ranges::find(kQualifiers, word) != kQualifiers.end()) {
      qualifiers_ += word + " ";
    } else if (word == "unsigned") {
      prefix_ = "u";
    } else if (word != "signed") {
      const bool apart =
          !name_.empty() && (std::isalnum(static_cast<unsigned char>(word[0])) || word[0] == '_');
      name_ += (apart ? " " : "") + std::exchange(prefix_, "") + word;
    }
  }

  std::string name_, qualifiers_, prefix_;
};

bool is_reference(const std::string& base_type) { return base_type.find('&') != std::string::npos; }

ArgumentKind kind_of(const ArgumentInfo& info, const std::string& base_type, const llvm::Type& type) {
  if (info.is_pipe) return ArgumentKind::pipe;
  // The name of a structure may begin with "image" too, but a structure has no access qualifier.
  if (base_type.starts_with("image") && info.access != AccessQualifier::none) return ArgumentKind::image;
  if (base_type == "sampler_t") return ArgumentKind::sampler;
  if (base_type == "queue_t") return ArgumentKind::queue;
  const bool is_pointer = base_type.ends_with('*') || is_reference(base_type);
  if (!is_pointer || !type.isPointerTy()) return ArgumentKind::value;
  switch (info.address) {
    case AddressQualifier::constant:
      return ArgumentKind::constant_pointer;
    case AddressQualifier::local:
      return ArgumentKind::local_pointer;
    default:
      return ArgumentKind::global_pointer;
  }
}

struct Size {
  std::uint64_t bytes, alignment;
};

// The size of a parameter in PTX's layout: structures are passed by value, vectors as arrays of their full (padded) size.
Size parameter_size(const llvm::Argument& argument, const llvm::DataLayout& layout) {
  if (argument.hasByValAttr()) {
    llvm::Type* type = argument.getParamByValType();
    return {layout.getTypeAllocSize(type),
            argument.getParamAlign().value_or(layout.getABITypeAlign(type)).value()};
  }
  llvm::Type* type = argument.getType();
  return {layout.getTypeAllocSize(type), layout.getABITypeAlign(type).value()};
}

// Erases a word from a text, also where it appears only when another occurrence has been erased. Returns whether there was one.
bool erase_word(std::string& text, std::string_view word) {
  if (text.find(word) == std::string::npos) return false;
  std::string kept;
  for (const char c : text) {
    kept += c;
    if (c == word.back() && kept.ends_with(word)) kept.resize(kept.size() - word.size());
  }
  text = std::move(kept);
  return true;
}

// The type as the source spells it, without qualifiers (section 5.9.4): Clang keeps those of what an argument's pointers point to.
std::string type_name(const llvm::Function& kernel, unsigned index) {
  std::string name = string_operand(kernel, "kernel_arg_type", index);
  bool had_any = false;
  for (const char* word : {"__global ", "__local ", "__constant ", "__private ", "__generic ", "__global",
                           "__local", "__constant", "__private", "__generic"})
    had_any |= erase_word(name, word);
  const auto is_before_star = [&](const char& c) { return c == ' ' && *(&c + 1) == '*'; };
  if (had_any) std::erase_if(name, is_before_star);
  return name;
}

void set_qualifiers(ArgumentInfo& info, const std::string& words) {
  info.is_const = has_word(words, "const");
  info.is_restrict = has_word(words, "restrict");
  info.is_volatile = has_word(words, "volatile");
  info.is_pipe = has_word(words, "pipe");
}

ArgumentInfo describe_argument(const llvm::Function& kernel, const llvm::Argument& argument,
                               PointerWrites& writes) {
  const unsigned index = argument.getArgNo();
  ArgumentInfo info;
  set_qualifiers(info, string_operand(kernel, "kernel_arg_type_qual", index));
  info.access = access_of(string_operand(kernel, "kernel_arg_access_qual", index));
  if (const llvm::MDNode* spaces = kernel.getMetadata("kernel_arg_addr_space")) {
    info.address = address_of(integer_operand(*spaces, index));
  }
  info.type_name = type_name(kernel, index);
  info.name = string_operand(kernel, kArgumentNames, index);
  const std::string base_type = string_operand(kernel, "kernel_arg_base_type", index);
  if (is_reference(base_type)) {
    info.type_name = ReferenceType(info.type_name).name();
    set_qualifiers(info, ReferenceType(base_type).qualifiers());
    info.address = address_of(*argument.getType());
  }
  info.kind = kind_of(info, base_type, *argument.getType());
  if (info.kind == ArgumentKind::image) info.image_type = base_type;
  info.is_written = info.kind == ArgumentKind::global_pointer && writes.may_write_through(argument);
  return info;
}

void place_argument(ArgumentInfo& info, const llvm::Argument& argument, std::uint32_t& end) {
  const llvm::DataLayout& layout = argument.getParent()->getDataLayout();
  Size size = parameter_size(argument, layout);
  if (info.kind == ArgumentKind::local_pointer) {
    info.pointee_alignment = static_cast<std::uint32_t>(argument.getParamAlign().valueOrOne().value());
    size = {4, 4};
  }
  size.alignment = std::min(size.alignment, kMostParameterAlignment.value());
  info.offset = static_cast<std::uint32_t>(llvm::alignTo(end, size.alignment));
  info.parameter_size = static_cast<std::uint32_t>(size.bytes);
  info.size = info.kind == ArgumentKind::local_pointer ? 0 : info.parameter_size;
  end = info.offset + info.parameter_size;
}

std::array<std::uint32_t, 3> sizes_of(const llvm::Function& kernel, const char* kind) {
  const llvm::MDNode* node = kernel.getMetadata(kind);
  if (!node || node->getNumOperands() != 3) return {};
  return {integer_operand(*node, 0), integer_operand(*node, 1), integer_operand(*node, 2)};
}

// vec_type_hint: Clang's metadata has a value of the type, and its signedness.
std::string vector_type_hint(const llvm::Function& kernel) {
  const llvm::MDNode* node = kernel.getMetadata("vec_type_hint");
  if (!node || node->getNumOperands() != 2) return {};
  llvm::Type* type = llvm::cast<llvm::ValueAsMetadata>(node->getOperand(0))->getType();
  const bool is_signed = integer_operand(*node, 1) != 0;
  std::string width;
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    width = std::to_string(vector->getNumElements());
    type = vector->getElementType();
  }
  if (type->isHalfTy()) return "half" + width;
  if (type->isFloatTy()) return "float" + width;
  if (type->isDoubleTy()) return "double" + width;
  if (!type->isIntegerTy()) return {};
  const char* name = type->getIntegerBitWidth() == 8    ? "char"
                     : type->getIntegerBitWidth() == 16 ? "short"
                     : type->getIntegerBitWidth() == 32 ? "int"
                                                        : "long";
  return (is_signed ? "" : "u") + std::string(name) + width;
}

std::string sized_attribute(const char* name, const std::array<std::uint32_t, 3>& sizes) {
  return std::string(name) + "(" + std::to_string(sizes[0]) + "," + std::to_string(sizes[1]) + "," +
         std::to_string(sizes[2]) + ")";
}

// CL_KERNEL_ATTRIBUTES: spelled as in the source, separated by one space.
std::string attributes_text(const llvm::Function& kernel, const KernelInfo& info) {
  std::string text;
  const auto add = [&](const std::string& attribute) { text += (text.empty() ? "" : " ") + attribute; };
  if (const std::string hint = vector_type_hint(kernel); !hint.empty()) add("vec_type_hint(" + hint + ")");
  if (info.work_group_size_hint[0]) add(sized_attribute("work_group_size_hint", info.work_group_size_hint));
  if (info.required_work_group_size[0])
    add(sized_attribute("reqd_work_group_size", info.required_work_group_size));
  if (info.required_sub_group_size) {
    add("intel_reqd_sub_group_size(" + std::to_string(info.required_sub_group_size) + ")");
  }
  return text;
}

KernelInfo describe_kernel(const llvm::Function& kernel, PointerWrites& writes) {
  KernelInfo info;
  info.name = kernel.getName().str();
  info.required_work_group_size = sizes_of(kernel, "reqd_work_group_size");
  info.work_group_size_hint = sizes_of(kernel, "work_group_size_hint");
  if (const llvm::MDNode* node = kernel.getMetadata("intel_reqd_sub_group_size")) {
    info.required_sub_group_size = integer_operand(*node, 0);
  }
  if (const llvm::MDNode* node = kernel.getMetadata(kRequiredSubGroupCount))
    info.required_sub_group_count = integer_operand(*node, 0);
  info.uniform_work_group_size =
      kernel.getFnAttribute("uniform-work-group-size").getValueAsString() == "true";
  info.static_local_size =
      static_cast<std::uint32_t>(kernel.getFnAttributeAsParsedInteger(kStaticLocalAttribute, 0));
  info.tells_arguments = kernel.hasMetadata(kArgumentNames);
  for (const llvm::Argument& argument : kernel.args()) {
    info.arguments.push_back(describe_argument(kernel, argument, writes));
    place_argument(info.arguments.back(), argument, info.parameter_size);
  }
  info.attributes = attributes_text(kernel, info);
  return info;
}

// What rounding down the address of local arguments skips at most (dynamic_local_address).
std::uint32_t skipped_local_size(const KernelInfo& info) {
  static_assert(kUniformAddressAlignment <= kDynamicLocalAlignment);
  std::uint32_t largest_alignment = kDynamicLocalAlignment;
  for (const ArgumentInfo& argument : info.arguments)
    if (argument.kind == ArgumentKind::local_pointer)
      largest_alignment = std::max(largest_alignment, argument.pointee_alignment);
  return largest_alignment - kDynamicLocalAlignment;
}

}  // namespace

std::vector<KernelInfo> describe_kernels(const llvm::Module& module) {
  std::vector<KernelInfo> kernels;
  PointerWrites writes;
  for (const llvm::Function& function : module) {
    if (is_kernel(function) && !is_block_kernel(function) && !function.hasFnAttribute(kLifeAttribute))
      kernels.push_back(describe_kernel(function, writes));
  }
  for (KernelInfo& info : kernels) info.static_local_size += skipped_local_size(info);
  return kernels;
}

namespace {

bool needs_device_runtime(const llvm::Module& module) {
  return std::ranges::any_of(module, [](const llvm::Function& function) {
    return function.getName().starts_with(kDeviceRuntimePrefix) && !function.use_empty();
  });
}

// Parses the list that pass_image_parts() has stored in the parameter's attribute.
std::vector<ImagePart> image_parts(llvm::StringRef list, const KernelInfo& info) {
  std::vector<ImagePart> parts;
  std::size_t argument = 0;
  ImagePart part;
  while (!list.consumeInteger(10, argument) && list.consume_front(" ") &&
         !list.consumeInteger(10, part.place) && list.consume_front(" ")) {
    part.argument = info.arguments[argument].offset;
    parts.push_back(part);
  }
  return parts;
}

KernelCode describe_entry(const llvm::Module& module, const std::string& symbol, const KernelInfo& info) {
  KernelCode code;
  code.symbol = symbol;
  const llvm::Function* kernel = module.getFunction(symbol);
  std::uint32_t end = info.parameter_size;
  for (unsigned i = 0; kernel && i < kernel->arg_size(); ++i) {
    const llvm::AttributeSet parameter = kernel->getAttributes().getParamAttrs(i);
    if (parameter.hasAttribute(kImagePartsAttribute)) {
      code.image_parts_offset = static_cast<std::uint32_t>(llvm::alignTo(end, kMostParameterAlignment));
      code.image_parts = image_parts(parameter.getAttribute(kImagePartsAttribute).getValueAsString(), info);
      end = code.image_parts_offset + static_cast<std::uint32_t>(code.image_parts.size()) * kImagePartSize;
    }
    if (parameter.hasAttribute(kLaunchRecordAttribute))
      code.launch_record_offset = static_cast<std::uint32_t>(llvm::alignTo(end, 8));
  }
  for (std::size_t i = 0; kernel && i < info.arguments.size() && i < kernel->arg_size(); ++i) {
    KnownImage known = read_known_image(*kernel->getArg(static_cast<unsigned>(i)));
    known.argument = info.arguments[i].offset;
    if (known.asks_order || known.asks_format) code.known_images.push_back(known);
  }
  code.uses_printf = kernel && kernel->hasFnAttribute(kPrintfAttribute);
  if (code.uses_printf &&
      kernel->getFnAttribute(kPrintfAttribute).getValueAsString().getAsInteger(10, code.printf_bytes))
    code.printf_bytes = 0;
  code.distinct_arguments = kernel && kernel->hasFnAttribute(kDistinctArgumentsAttribute);
  // A kernel that no longer reads the launch record cannot add tasks: the optimiser has removed all calls that do.
  code.enqueues = code.launch_record_offset && kernel->hasFnAttribute(kEnqueueAttribute);
  return code;
}

}  // namespace

bool same_signature(const KernelInfo& a, const KernelInfo& b) {
  return std::ranges::equal(a.arguments, b.arguments, [](const ArgumentInfo& x, const ArgumentInfo& y) {
    return x.kind == y.kind && x.size == y.size && x.offset == y.offset && x.type_name == y.type_name &&
           x.access == y.access;
  });
}

void describe_code(const llvm::Module& module, const std::vector<KernelInfo>& kernels, VariantCode& code) {
  for (const KernelInfo& info : kernels)
    code.kernels.push_back(describe_entry(module, ptx_name(info.name), info));
  if (module.getFunction(kInitializerSymbol))
    code.initializers.push_back(describe_entry(module, kInitializerSymbol, {}));
  if (module.getFunction(kFinalizerSymbol))
    code.finalizers.push_back(describe_entry(module, kFinalizerSymbol, {}));
  code.needs_device_runtime = needs_device_runtime(module);
}

std::uint64_t global_variable_size(const llvm::Module& module) {
  std::uint64_t bytes = 0;
  for (const llvm::GlobalVariable& variable : module.globals()) {
    const unsigned space = variable.getAddressSpace();
    if ((space != kGlobalSpace && space != kConstantSpace) || variable.isConstant() ||
        variable.isDeclaration())
      continue;
    bytes += module.getDataLayout().getTypeAllocSize(variable.getValueType());
  }
  return bytes;
}

}  // namespace clcuda::compiler
