// SPDX-License-Identifier: Apache-2.0
// vload_half, vstore_half and their aligned variants for vectors (OpenCL C 6.15.7): memory has halves, registers float or double.
#include "library.h"

#define LOAD(n, space)                                                   \
  float##n OVERLOAD vload_half##n(size_t offset, const space half* p) {  \
    return CONVERT##n(vload##n(offset, p), float);                       \
  }                                                                      \
  float##n OVERLOAD vloada_half##n(size_t offset, const space half* p) { \
    return CONVERT##n(*(const space half##n*)(p + offset * n), float);   \
  }
// An aligned vector of three begins at a multiple of four elements, of which the last need not exist.
#define LOAD_3(space)                                                \
  float3 OVERLOAD vload_half3(size_t offset, const space half* p) {  \
    return CONVERT3(vload3(offset, p), float);                       \
  }                                                                  \
  float3 OVERLOAD vloada_half3(size_t offset, const space half* p) { \
    return CONVERT3(vload3(0, p + offset * 4), float);               \
  }
#define LOAD_1(space) \
  float OVERLOAD vload_half(size_t offset, const space half* p) { return p[offset]; }

#define LOADS(space) LOAD_1(space) LOAD(2, space) LOAD_3(space) LOAD(4, space) LOAD(8, space) LOAD(16, space)
LOADS(__generic)
LOADS(__global)
LOADS(__local)
LOADS(__constant)

#define STORE(n, F, mode, space)                                              \
  void OVERLOAD vstore_half##n##mode(F##n x, size_t offset, space half* p) {  \
    vstore##n(convert_half##n##mode(x), offset, p);                           \
  }                                                                           \
  void OVERLOAD vstorea_half##n##mode(F##n x, size_t offset, space half* p) { \
    *(space half##n*)(p + offset * n) = convert_half##n##mode(x);             \
  }
#define STORE_3(F, mode, space)                                             \
  void OVERLOAD vstore_half3##mode(F##3 x, size_t offset, space half* p) {  \
    vstore3(convert_half3##mode(x), offset, p);                             \
  }                                                                         \
  void OVERLOAD vstorea_half3##mode(F##3 x, size_t offset, space half* p) { \
    vstore3(convert_half3##mode(x), 0, p + offset * 4);                     \
  }
#define STORE_1(F, mode, space) \
  void OVERLOAD vstore_half##mode(F x, size_t offset, space half* p) { p[offset] = convert_half##mode(x); }

#define STORES(F, mode, space) \
  STORE_1(F, mode, space)      \
  STORE(2, F, mode, space)     \
  STORE_3(F, mode, space) STORE(4, F, mode, space) STORE(8, F, mode, space) STORE(16, F, mode, space)
#define STORES_ALL_SPACES(F, mode) \
  STORES(F, mode, __generic) STORES(F, mode, __global) STORES(F, mode, __local)
#define STORES_ALL_MODES(F) \
  STORES_ALL_SPACES(F, )    \
  STORES_ALL_SPACES(F, _rte) STORES_ALL_SPACES(F, _rtz) STORES_ALL_SPACES(F, _rtp) STORES_ALL_SPACES(F, _rtn)
STORES_ALL_MODES(float)
STORES_ALL_MODES(double)
