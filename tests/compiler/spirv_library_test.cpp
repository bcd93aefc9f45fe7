// SPDX-License-Identifier: Apache-2.0
// The names that the SPIR-V reader forms for functions of the OpenCL C library, and that the library has them.
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "builtins/embedded.h"
#include "compiler/build_thread.h"
#include "compiler/frontend.h"
#include "compiler/program_error.h"
#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/builtin_name.h"
#include "compiler/spirv/builtin_type.h"
#include "compiler/spirv/opencl_std.h"
#include "support.h"

extern "C" const char clcuda_library_index[];
extern "C" const char clcuda_library_index_end[];

namespace clcuda::compiler::spirv {
namespace {

// The name, parsed and formed again; empty if it is not a mangled C++ name.
std::string made_again(std::string_view name) {
  const auto parsed = parse_builtin_name(name);
  return parsed ? mangled(parsed->function, parsed->parameters) : std::string();
}

// The library was compiled by Clang, so its names are mangled by Clang.
TEST(SpirvNames, OfTheLibrary) {
  std::string_view index{clcuda_library_index, clcuda_library_index_end};
  std::size_t count = 0;
  while (!index.empty()) {
    const std::string_view name = index.substr(0, index.find(' '));
    index.remove_prefix(std::min(index.size(), index.find('\n') + 1));
    const std::string again = made_again(name);
    if (again.empty()) continue;
    EXPECT_EQ(again, name);
    ++count;
  }
  EXPECT_GT(count, 13000U);
}

// Names imported by modules from other producers.
TEST(SpirvNames, OfImports) {
  llvm::LLVMContext context;
  llvm::Type *generic = llvm::PointerType::get(context, 0), *global = llvm::PointerType::get(context, 1),
             *local = llvm::PointerType::get(context, 3), *constant = llvm::PointerType::get(context, 4),
             *number = llvm::Type::getInt32Ty(context), *wide = llvm::Type::getInt64Ty(context),
             *real = llvm::Type::getFloatTy(context);
  const auto name = [&](const char* import, llvm::Type* result, std::vector<llvm::Type*> parameters) {
    return library_name(import, *llvm::FunctionType::get(result, parameters, false)).value_or("none");
  };
  EXPECT_EQ(name("_Z25atomic_fetch_max_explicitPU3AS4VU7_Atomicll12memory_order12memory_scope", wide,
                 {generic, wide, number, number}),
            "_Z25atomic_fetch_max_explicitPVU7_Atomicll12memory_order12memory_scope");
  EXPECT_EQ(name("_Z5fractfPf", real, {real, generic}), "_Z5fractfPf");
  EXPECT_EQ(name("_Z5fractfPU3AS4f", real, {real, generic}), "_Z5fractfPf");
  EXPECT_EQ(name("_Z5fractfPU3AS1f", real, {real, global}), "_Z5fractfPU3AS1f");
  EXPECT_EQ(name("_Z6vload4mPU3AS2Kf", with_elements(real, 4), {wide, constant}), "_Z6vload4mPU3AS4Kf");
  EXPECT_EQ(name("_Z17wait_group_eventsiPU3AS49ocl_event", number, {number, generic}),
            "_Z17wait_group_eventsiP9ocl_event");
  EXPECT_EQ(name("_Z21async_work_group_copyPU3AS3Dv4_fPU3AS1KS_m9ocl_event", generic,
                 {local, global, wide, generic}),
            "_Z21async_work_group_copyPU3AS3Dv4_fPU3AS1KS_m9ocl_event");
  EXPECT_EQ(name("_Z13get_global_idj", wide, {number}), "_Z13get_global_idj");
  EXPECT_EQ(name("_Z13get_global_idj", wide, {wide}), "none");
  EXPECT_EQ(name("_Z5fractfPU3AS9f", real, {real, generic}), "none");
  EXPECT_EQ(name("_Z3foof", real, {real}), "none");
}

TEST(SpirvNames, BrokenOnesAreNone) {
  for (const char* name : {"",
                           "_",
                           "_Z",
                           "_Z0",
                           "_Z5fract",
                           "_Z9fract",
                           "_Z999999999999999999999f",
                           "_Z5fractP",
                           "_Z5fractPP",
                           "_Z5fractPPf",
                           "_Z5fractDv",
                           "_Z5fractDv4",
                           "_Z5fractDv4_",
                           "_Z5fractS_",
                           "_Z5fractPS_",
                           "_Z5fractfS",
                           "_Z5fractDv4_fS",
                           "_Z5fractDv4_fS0",
                           "_Z5fractDv4_fS0_",
                           "_Z5fractDv4_fS-_",
                           "_Z5fractU7_Atomic",
                           "_Z5fractPU3AS",
                           "_Z5fractPU3ASf",
                           "_Z5fractq",
                           "_Z5fract3ab",
                           "_Z5fractDv4_fPSZ_"})
    EXPECT_FALSE(parse_builtin_name(name)) << name;
}

const DeviceFeatures& all_features() {
  static const DeviceFeatures features = [] {
    DeviceFeatures all = testing::features();
    all.features.insert(all.features.end(), {"__opencl_c_images", "__opencl_c_3d_image_writes",
                                             "__opencl_c_read_write_images", "__opencl_c_pipes"});
    all.extensions.insert(all.extensions.end(), {"cl_khr_3d_image_writes", "cl_khr_depth_images"});
    return all;
  }();
  return features;
}

std::unique_ptr<llvm::Module> compiled(const std::string& source, llvm::LLVMContext& context) {
  const ParsedOptions options = parse_options("-cl-std=CL3.0", OptionsFor::build);
  Outcome outcome;
  std::unique_ptr<llvm::Module> module;
  run_on_build_thread([&] {
    module = compile_opencl_c({source, options.options, testing::kTarget, all_features()}, context, outcome);
  });
  EXPECT_TRUE(module) << outcome.log;
  return module;
}

struct Call {
  const char* function;
  std::vector<BuiltinType> parameters;
  const char* statement;
};

BuiltinType vector_of(BuiltinType type, unsigned count) {
  type.elements = count;
  return type;
}

// Mangled names of calls, for each kind of parameter.
TEST(SpirvNames, OfClangsCalls) {
  const BuiltinType image = named("14ocl_image2d_ro"), array = named("20ocl_image2d_array_wo");
  const Call calls[] = {
      {"fract", {kFloatType, pointer_to(kFloatType, 0)}, "float r; fract(1.0f, &r);"},
      {"fract",
       {vector_of(kFloatType, 2), pointer_to(vector_of(kFloatType, 2), 0)},
       "float2 r; fract(r, &r);"},
      {"remquo", {kHalfType, kHalfType, pointer_to(kSignedInt, 0)}, "int q; remquo((half)1, (half)1, &q);"},
      {"vload4", {kSizeType, pointer_to_constant(kFloatType, 4)}, "vload4(1, c);"},
      {"vstore_half3_rte",
       {vector_of(kFloatType, 3), kSizeType, pointer_to(kHalfType, 0)},
       "vstore_half3_rte((float3)1, 1, h);"},
      {"select",
       {vector_of(integer(8, Sign::without), 16), vector_of(integer(8, Sign::without), 16),
        vector_of(integer(8, Sign::with), 16)},
       "select((uchar16)1, (uchar16)2, (char16)3);"},
      {"shuffle2",
       {vector_of(integer(64, Sign::with), 4), vector_of(integer(64, Sign::with), 4),
        vector_of(integer(64, Sign::without), 2)},
       "shuffle2((long4)1, (long4)2, (ulong2)3);"},
      {"read_imagef", {image, kSamplerType, vector_of(kFloatType, 2)}, "read_imagef(i, s, (float2)1);"},
      {"write_imageui",
       {array, vector_of(kSignedInt, 4), vector_of(kUnsignedInt, 4)},
       "write_imageui(a, (int4)1, (uint4)2);"},
      {"get_image_width", {image}, "get_image_width(i);"},
      {"atomic_fetch_add_explicit",
       {pointer_to_atomic(kSignedInt, 0), kSignedInt, kMemoryOrderType, kMemoryScopeType},
       "atomic_fetch_add_explicit(n, 1, memory_order_relaxed, memory_scope_device);"},
      {"atomic_compare_exchange_strong_explicit",
       {pointer_to_atomic(kSignedInt, 0), pointer_to(kSignedInt, 0), kSignedInt, kMemoryOrderType,
        kMemoryOrderType, kMemoryScopeType},
       "int e; atomic_compare_exchange_strong_explicit(n, &e, 1, memory_order_acq_rel, memory_order_relaxed, "
       "memory_scope_device);"},
      {"async_work_group_copy",
       {pointer_to(vector_of(kFloatType, 4), 3), pointer_to_constant(vector_of(kFloatType, 4), 1), kSizeType,
        kEventType},
       "async_work_group_copy(l, g, 3, 0);"},
      {"wait_group_events", {kSignedInt, pointer_to(kEventType, 0)}, "event_t e; wait_group_events(1, &e);"},
      {"work_group_barrier", {kUnsignedInt, kMemoryScopeType}, "work_group_barrier(1, memory_scope_device);"},
      {"atomic_work_item_fence",
       {kUnsignedInt, kMemoryOrderType, kMemoryScopeType},
       "atomic_work_item_fence(1, memory_order_acquire, memory_scope_device);"},
      {"work_group_broadcast", {kSignedInt, kSizeType, kSizeType}, "work_group_broadcast(1, 2, 3);"},
      {"sub_group_broadcast", {kHalfType, kUnsignedInt}, "sub_group_broadcast((half)1, 2);"},
      {"enqueue_marker",
       {kQueueType, kUnsignedInt, pointer_to_constant(kDeviceEventType, 0), pointer_to(kDeviceEventType, 0)},
       "clk_event_t e; enqueue_marker(get_default_queue(), 1, &e, &e);"},
      {"get_default_queue", {}, "get_default_queue();"},
      {"capture_event_profiling_info",
       {kDeviceEventType, kSignedInt, pointer_to(kVoidType, 1)},
       "clk_event_t e; capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, g);"},
      {"is_valid_reserve_id", {kReservationType}, "reserve_id_t r; is_valid_reserve_id(r);"},
  };
  std::string source =
      "kernel void k(global float4* g, local float4* l, constant float* c, global half* h, global "
      "atomic_int* n,\n"
      "              read_only image2d_t i, write_only image2d_array_t a, sampler_t s) {\n";
  for (const Call& call : calls) source += "  { " + std::string(call.statement) + " }\n";
  llvm::LLVMContext context;
  const auto module = compiled(source + "}\n", context);
  ASSERT_TRUE(module);
  for (const Call& call : calls) {
    const std::string name = mangled(call.function, call.parameters);
    const llvm::Function* function = module->getFunction(name);
    ASSERT_TRUE(function) << name;
    ASSERT_EQ(function->arg_size(), call.parameters.size()) << name;
    for (unsigned i = 0; i < function->arg_size(); ++i)
      EXPECT_EQ(function->getArg(i)->getType(), llvm_type(call.parameters[i], context)) << name << " " << i;
  }
  // Declarations in the module have the names that the reader would form.
  std::size_t count = 0;
  for (const llvm::Function& function : *module) {
    const std::string again = made_again({function.getName().data(), function.getName().size()});
    if (again.empty()) continue;
    EXPECT_EQ(again, function.getName().str());
    ++count;
  }
  EXPECT_EQ(count, std::size(calls));
}

// A function to which calls can be added.
class Scratch {
 public:
  Scratch() : module_("scratch", context_), builder_(context_) {
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(), false);
    auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module_);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(context_, "", function));
  }
  llvm::IRBuilder<>& builder() { return builder_; }
  llvm::LLVMContext& context() { return context_; }

  llvm::Value* pointer(unsigned space) { return llvm::UndefValue::get(builder_.getPtrTy(space)); }

  // Whether the library has a function for the instruction with operands of these types.
  bool has(OpenClStd instruction, llvm::Type* result, const std::vector<llvm::Value*>& operands) {
    try {
      return call_opencl_std(builder_, instruction, result, operands) != nullptr;
    } catch (const ProgramError&) {
      return false;
    }
  }

 private:
  llvm::LLVMContext context_;
  llvm::Module module_;
  llvm::IRBuilder<> builder_;
};

struct Row {
  OpenClStd instruction;
  std::string name;
  char result;
  std::string operands;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
#define FUNCTION(instruction, function, result, operands) \
  {OpenClStd::instruction, #instruction, #result[0], #operands},
#include "compiler/spirv/opencl_std.def"
  };
  return all;
}

// Whether OpenCL C has a form with this number of elements and this width.
bool exists(const Row& row, unsigned bits, unsigned count) {
  const auto is_one_of = [&](std::initializer_list<const char*> names) {
    return std::ranges::find(names, row.name) != names.end();
  };
  if (is_one_of({"cross"})) return count == 3 || count == 4;
  if (is_one_of({"distance", "length", "normalize", "fast_distance", "fast_length", "fast_normalize"}))
    return count <= 4;
  if (row.name.ends_with("mad24") || row.name.ends_with("mul24")) return bits == 32;
  if (row.name.ends_with("upsample")) return bits < 64;
  if (row.name.starts_with("shuffle")) return count > 1 && count != 3;
  // Divisions and reciprocals in other than single precision use LLVM's division.
  if (is_one_of({"half_recip", "native_recip", "half_divide", "native_divide"})) return bits == 32;
  return row.name != "nan" || bits >= 16;
}

llvm::Type* number_of(llvm::LLVMContext& context, bool is_floating, unsigned bits, unsigned count) {
  llvm::Type* element = !is_floating ? llvm::Type::getIntNTy(context, bits)
                        : bits == 16 ? llvm::Type::getHalfTy(context)
                        : bits == 32 ? llvm::Type::getFloatTy(context)
                                     : llvm::Type::getDoubleTy(context);
  return with_elements(element, count);
}

void check_row(Scratch& scratch, const Row& row, bool is_floating, unsigned bits, unsigned count,
               unsigned space) {
  llvm::LLVMContext& context = scratch.context();
  llvm::Type* first = number_of(context, is_floating, bits, count);
  llvm::Type* ints = number_of(context, false, 32, count);
  llvm::Type* same_width = number_of(context, false, bits, count);
  std::vector<llvm::Value*> operands;
  for (const char letter : row.operands) {
    const bool is_pointer = letter == 'F' || letter == 'I';
    llvm::Type* type = letter == 'i' ? ints : letter == 'c' || letter == 'm' ? same_width : first;
    operands.push_back(is_pointer ? scratch.pointer(space) : llvm::UndefValue::get(type));
  }
  llvm::Type* result = row.result == 'e'                ? first->getScalarType()
                       : row.result == 'i'              ? ints
                       : row.result == 'w' && bits < 64 ? number_of(context, false, 2 * bits, count)
                       : row.result == 'n' && bits > 8  ? number_of(context, true, bits, count)
                                                        : first;
  EXPECT_EQ(scratch.has(row.instruction, result, operands), exists(row, bits, count))
      << row.name << (is_floating ? " floating " : " integer ") << bits << " x" << count << " in " << space;
  // A wrong result or operand type is rejected.
  EXPECT_FALSE(scratch.has(row.instruction, llvm::Type::getInt1Ty(context), operands)) << row.name;
  operands.pop_back();
  EXPECT_FALSE(scratch.has(row.instruction, result, operands)) << row.name;
  operands.push_back(
      llvm::UndefValue::get(llvm::StructType::get(context, llvm::ArrayRef<llvm::Type*>(first))));
  EXPECT_FALSE(scratch.has(row.instruction, result, operands)) << row.name;
}

TEST(SpirvLibrary, HasAllOfOpenClStd) {
  Scratch scratch;
  for (const Row& row : rows()) {
    const bool has_pointer = row.operands.find_first_of("FI") != std::string::npos;
    for (const unsigned space : has_pointer ? std::vector<unsigned>{0, 1, 3} : std::vector<unsigned>{0}) {
      for (const unsigned bits : {8U, 16U, 32U, 64U}) {
        for (const unsigned count : {1U, 2U, 3U, 4U, 8U, 16U}) {
          const char kind = row.operands[0];
          if (kind != 'f') check_row(scratch, row, false, bits, count, space);
          if ((kind == 'f' || kind == 'g') && bits > 8) check_row(scratch, row, true, bits, count, space);
        }
      }
    }
  }
}

bool has_access(Scratch& scratch, OpenClStd instruction, llvm::Type* result,
                const std::vector<llvm::Value*>& operands, std::uint32_t literal) {
  try {
    return call_vector_access(scratch.builder(), instruction, result, operands, literal) != nullptr;
  } catch (const ProgramError&) {
    return false;
  }
}

TEST(SpirvLibrary, HasVectorAccess) {
  Scratch scratch;
  llvm::LLVMContext& context = scratch.context();
  llvm::Value* offset = scratch.builder().getInt64(1);
  llvm::Type* nothing = scratch.builder().getVoidTy();
  for (const unsigned space : {0U, 1U, 3U, 4U}) {
    llvm::Value* pointer = scratch.pointer(space);
    for (const unsigned count : {2U, 3U, 4U, 8U, 16U}) {
      for (const unsigned bits : {8U, 16U, 32U, 64U}) {
        for (const bool is_floating : {false, true}) {
          if (is_floating && bits == 8) continue;
          llvm::Type* type = number_of(context, is_floating, bits, count);
          llvm::Value* data = llvm::UndefValue::get(type);
          EXPECT_TRUE(has_access(scratch, OpenClStd::vloadn, type, {offset, pointer}, count));
          EXPECT_FALSE(has_access(scratch, OpenClStd::vloadn, type, {offset, pointer}, count + 1));
          EXPECT_EQ(has_access(scratch, OpenClStd::vstoren, nothing, {data, offset, pointer}, 0), space != 4);
        }
      }
    }
    for (const unsigned count : {1U, 2U, 3U, 4U, 8U, 16U}) {
      llvm::Type* floats = number_of(context, true, 32, count);
      EXPECT_TRUE(has_access(scratch, count == 1 ? OpenClStd::vload_half : OpenClStd::vload_halfn, floats,
                             {offset, pointer}, count));
      EXPECT_TRUE(has_access(scratch, OpenClStd::vloada_halfn, floats, {offset, pointer}, count));
      for (const unsigned bits : {32U, 64U}) {
        llvm::Value* data = llvm::UndefValue::get(number_of(context, true, bits, count));
        const bool is_writable = space != 4;
        EXPECT_EQ(has_access(scratch, OpenClStd::vstore_halfn, nothing, {data, offset, pointer}, 0),
                  is_writable);
        for (const unsigned mode : {0U, 1U, 2U, 3U})
          EXPECT_EQ(has_access(scratch, OpenClStd::vstore_halfn_r, nothing, {data, offset, pointer}, mode),
                    is_writable);
        EXPECT_FALSE(has_access(scratch, OpenClStd::vstore_halfn_r, nothing, {data, offset, pointer}, 4));
        EXPECT_EQ(has_access(scratch, OpenClStd::vstorea_halfn, nothing, {data, offset, pointer}, 0),
                  is_writable);
      }
    }
  }
}

}  // namespace
}  // namespace clcuda::compiler::spirv
