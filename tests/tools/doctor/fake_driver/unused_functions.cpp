// SPDX-License-Identifier: Apache-2.0
// All functions that a driver must have for the library to accept it; those that are called are in cuda.cpp.
#include "cuda/driver_api.h"

extern "C" int fake_unused_function() { return CUDA_ERROR_NOT_SUPPORTED; }

#define NAME_AFTER_MACROS(function) #function
#define WEAK(function) \
  asm(".weak " NAME_AFTER_MACROS(function) "\n.set " NAME_AFTER_MACROS(function) ", fake_unused_function");
#define REQUIRED(function) WEAK(function)
#define OPTIONAL(function)
#include "cuda/driver_functions.def"
