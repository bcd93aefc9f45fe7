// SPDX-License-Identifier: Apache-2.0
// For a program that links the whole library and replaces the CPU device's driver: by the executor's table of driver functions, of which it
// exchanges some (clcuda_test's OWN_DRIVER, which has the linker redirect ptx::driver_table). Includes no OpenCL.
#pragma once

#include "ptx/driver/driver.h"

namespace test {

// The original ptx::driver_table(device_count).
const clcuda::cuda::DriverTable& executors_table(int device_count) __asm__(
    "__real__ZN6clcuda3ptx12driver_tableEi");
// Called by the library instead; defined by the program.
const clcuda::cuda::DriverTable& own_table(int device_count) __asm__("__wrap__ZN6clcuda3ptx12driver_tableEi");

}  // namespace test
