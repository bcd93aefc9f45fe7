// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/entry.h"

namespace clcuda::ptx::driver {
namespace {

struct ErrorText {
  CUresult code;
  const char* name;
  const char* text;
};

#define ERROR(code, text) {code, #code, text}
// Every code that this driver returns, including those of device faults.
constexpr ErrorText kErrors[] = {
    ERROR(CUDA_SUCCESS, "no error"),
    ERROR(CUDA_ERROR_INVALID_VALUE, "invalid argument"),
    ERROR(CUDA_ERROR_OUT_OF_MEMORY, "out of memory"),
    ERROR(CUDA_ERROR_NOT_INITIALIZED, "the driver is not initialised in this process"),
    ERROR(CUDA_ERROR_DEINITIALIZED, "the driver is shutting down"),
    ERROR(CUDA_ERROR_NO_DEVICE, "there is no device"),
    ERROR(CUDA_ERROR_INVALID_DEVICE, "no such device"),
    ERROR(CUDA_ERROR_INVALID_IMAGE, "not a module image"),
    ERROR(CUDA_ERROR_INVALID_CONTEXT, "no valid context is current"),
    ERROR(CUDA_ERROR_NO_BINARY_FOR_GPU, "the image has no code for this device"),
    ERROR(CUDA_ERROR_UNSUPPORTED_LIMIT, "this limit is not supported"),
    ERROR(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "these devices cannot reach each other's memory"),
    ERROR(CUDA_ERROR_INVALID_PTX, "the PTX was refused"),
    ERROR(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "this version of PTX is not supported"),
    ERROR(CUDA_ERROR_OPERATING_SYSTEM, "the operating system refused a call"),
    ERROR(CUDA_ERROR_INVALID_HANDLE, "invalid handle"),
    ERROR(CUDA_ERROR_NOT_FOUND, "no symbol of that name"),
    ERROR(CUDA_ERROR_NOT_READY, "not complete yet"),
    ERROR(CUDA_ERROR_ILLEGAL_ADDRESS, "a kernel accessed memory that it must not"),
    ERROR(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for the launch"),
    ERROR(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the current context has been destroyed"),
    ERROR(CUDA_ERROR_ILLEGAL_INSTRUCTION, "a kernel executed an illegal instruction"),
    ERROR(CUDA_ERROR_MISALIGNED_ADDRESS, "a kernel used a misaligned address"),
    ERROR(CUDA_ERROR_LAUNCH_FAILED, "a kernel trapped or overflowed its stack"),
    ERROR(CUDA_ERROR_NOT_PERMITTED, "not permitted here"),
    ERROR(CUDA_ERROR_NOT_SUPPORTED, "not supported"),
    ERROR(CUDA_ERROR_UNKNOWN, "unknown error"),
};
#undef ERROR

const ErrorText* find(CUresult code) {
  for (const ErrorText& error : kErrors)
    if (error.code == code) return &error;
  return nullptr;
}

CUresult write(CUresult code, const char** out, const char* ErrorText::* part) {
  const ErrorText* error = find(code);
  required(out) = error ? error->*part : nullptr;
  return error ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

CUresult cuGetErrorName(CUresult code, const char** name) {
  return entry_before_init([&] { return write(code, name, &ErrorText::name); });
}

CUresult cuGetErrorString(CUresult code, const char** text) {
  return entry_before_init([&] { return write(code, text, &ErrorText::text); });
}

}  // namespace clcuda::ptx::driver
