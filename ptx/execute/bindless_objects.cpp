// SPDX-License-Identifier: Apache-2.0
#include "ptx/execute/bindless_objects.h"

namespace clcuda::ptx {

BindlessTable<Texture>& textures() {
  static BindlessTable<Texture>& table = *new BindlessTable<Texture>(1);
  return table;
}

BindlessTable<TexelResource>& surfaces() {
  static BindlessTable<TexelResource>& table = *new BindlessTable<TexelResource>(2);
  return table;
}

}  // namespace clcuda::ptx
