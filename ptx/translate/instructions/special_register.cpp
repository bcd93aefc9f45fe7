// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {
namespace {

constexpr std::string_view kAxes = "xyz";

// The axis in a register's name: 0 for "tid.x" if `wanted` is "tid".
std::optional<unsigned> axis_of(std::string_view name, std::string_view wanted) {
  if (!name.starts_with(wanted) || name.size() != wanted.size() + 2 || name[wanted.size()] != '.')
    return std::nullopt;
  const auto axis = kAxes.find(name.back());
  if (axis == std::string_view::npos) return std::nullopt;
  return static_cast<unsigned>(axis);
}

}  // namespace

llvm::Value* FunctionTranslator::special_register(const Instruction& instruction, const std::string& name) {
  llvm::Type* word = builder_.getInt32Ty();
  if (const auto axis = axis_of(name, "tid")) return target_.getArg(1 + *axis);
  static constexpr std::pair<std::string_view, std::size_t> kTriples[] = {
      {"ntid", offsetof(Block, block_size)},
      {"ctaid", offsetof(Block, block_index)},
      {"nctaid", offsetof(Block, grid_size)},
      {"clusterid", offsetof(Block, block_index)},
      {"nclusterid", offsetof(Block, grid_size)}};
  for (const auto& [triple, offset] : kTriples)
    if (const auto axis = axis_of(name, triple)) return block_field(offset + 4 * *axis, word);
  // Each block is its own cluster.
  if (axis_of(name, "cluster_ctaid") || name == "cluster_ctarank") return builder_.getInt32(0);
  if (axis_of(name, "cluster_nctaid") || name == "cluster_nctarank") return builder_.getInt32(1);
  if (name == "is_explicit_cluster") return builder_.getInt1(false);
  llvm::Value* item = target_.getArg(4);
  llvm::Value* lane = builder_.CreateAnd(item, 31);
  if (name == "laneid") return lane;
  if (name == "warpid") return builder_.CreateLShr(item, 5);
  if (name == "nwarpid") return builder_.getInt32(32);
  if (name == "smid") return block_field(offsetof(Block, worker), word);
  if (name == "nsmid") return builder_.getInt32(1024);
  if (name == "gridid") return block_field(offsetof(Block, grid_number), builder_.getInt64Ty());
  llvm::Value* bit = builder_.CreateShl(builder_.getInt32(1), lane);
  if (name == "lanemask_eq") return bit;
  if (name == "lanemask_lt") return builder_.CreateSub(bit, builder_.getInt32(1));
  if (name == "lanemask_le") return builder_.CreateOr(bit, builder_.CreateSub(bit, builder_.getInt32(1)));
  if (name == "lanemask_ge") return builder_.CreateNeg(bit);
  if (name == "lanemask_gt") return builder_.CreateSub(builder_.CreateNeg(bit), bit);
  if (name == "clock" || name == "clock64")
    return call_runtime("clcuda_clock", builder_.getInt64Ty(), {}, false);
  if (name == "clock_hi")
    return builder_.CreateLShr(call_runtime("clcuda_clock", builder_.getInt64Ty(), {}, false), 32);
  const bool timer = name == "globaltimer" || name == "globaltimer_lo" || name == "globaltimer_hi";
  if (timer) {
    llvm::Value* time = call_runtime("clcuda_globaltimer", builder_.getInt64Ty(), {}, false);
    return name == "globaltimer_hi" ? builder_.CreateLShr(time, 32) : time;
  }
  if (name == "dynamic_smem_size") return block_field(offsetof(Block, dynamic_shared_bytes), word);
  if (name == "total_smem_size" || name == "aggr_smem_size")
    return builder_.CreateAdd(block_field(offsetof(Block, dynamic_shared_bytes), word),
                              block_field(offsetof(Block, static_shared_bytes), word));
  refuse(instruction, "special register '%" + name + "' is not known");
}

}  // namespace clcuda::ptx
