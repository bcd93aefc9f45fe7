// SPDX-License-Identifier: Apache-2.0
#pragma once

// Moving vectors between the lanes of a sub-group.
#include "sub_group.h"

#define EXCHANGE_VECTORS(T) EXCHANGE(T##2) EXCHANGE_THREE(T) EXCHANGE(T##4) EXCHANGE(T##8) EXCHANGE(T##16)
// The fourth place of a vector of three is no value that may be moved.
#define EXCHANGE_THREE(T)                                                                         \
  HELPER T##3 exchange(enum exchange_mode mode, uint mask, T##3 value, uint operand) {            \
    return (T##3)(exchange(mode, mask, value.x, operand), exchange(mode, mask, value.y, operand), \
                  exchange(mode, mask, value.z, operand));                                        \
  }
SCALAR_TYPES(EXCHANGE_VECTORS)

#define WITH_VECTORS_OF(T, F) F(T) F(T##2) F(T##3) F(T##4) F(T##8) F(T##16)
