// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/driver.h"
#include "ptx/driver/functions.h"
#include "ptx/driver/process.h"

namespace clcuda::ptx {
namespace {

cuda::DriverTable filled_table() {
  cuda::DriverTable table;
#define REQUIRED(function) table.function = &driver::function;
#define OPTIONAL(function) REQUIRED(function)
#include "cuda/driver_functions.def"
#undef REQUIRED
#undef OPTIONAL
  return table;
}

}  // namespace

const cuda::DriverTable& driver_table(int device_count) {
  static const cuda::DriverTable& table = *new cuda::DriverTable(filled_table());
  driver::Process::set_device_count(device_count);
  return table;
}

}  // namespace clcuda::ptx
