// SPDX-License-Identifier: Apache-2.0
#include "ptx/execute/texel_load.h"

#include <cmath>

namespace clcuda::ptx {

const float (&srgb_table())[256] {
  struct Table {
    float values[256];
    Table() {
      for (int i = 0; i < 256; ++i) {
        const double value = i / 255.0;
        values[i] =
            static_cast<float>(value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
      }
    }
  };
  static const Table table;
  return table.values;
}

}  // namespace clcuda::ptx
