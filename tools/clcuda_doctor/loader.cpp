// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <link.h>

#include <cstdlib>

#include "checks.h"
#include "child.h"

namespace clcuda::doctor {
namespace {

// The query function of both common loaders, ocl-icd's and Khronos' (ocl_icd.h: cl_icdl_info).
using LoaderInfo = int (*)(int name, std::size_t size, void* value, std::size_t* size_ret);
enum { kOpenCl = 1, kVersion = 2, kName = 3 };

std::string ask(LoaderInfo info, int name) {
  char text[256] = "";
  return info(name, sizeof text - 1, text, nullptr) == 0 ? text : "";
}

// Some loaders export the function, others offer it as an extension. The latter first open the libraries of all .icd files, which another
// topic checks, so these are hidden here.
LoaderInfo loader_info(void* loader) {
  constexpr char kFunction[] = "clGetICDLoaderInfoOCLICD";
  if (void* exported = ::dlsym(loader, kFunction)) return reinterpret_cast<LoaderInfo>(exported);
  for (const char* name : {"OCL_ICD_FILENAMES", "OPENCL_LAYERS"}) ::unsetenv(name);
  for (const char* name : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"}) ::setenv(name, "/nonexistent", 1);
  const auto find =
      reinterpret_cast<void* (*)(const char*)>(::dlsym(loader, "clGetExtensionFunctionAddress"));
  return find ? reinterpret_cast<LoaderInfo>(find(kFunction)) : nullptr;
}

void probe_loader(const ReportWriter& writer) {
  void* loader = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!loader) return writer.write("failure", ::dlerror());
  link_map* map = nullptr;
  ::dlinfo(loader, RTLD_DI_LINKMAP, static_cast<void*>(&map));
  std::error_code error;
  const auto path = std::filesystem::canonical(map ? map->l_name : "", error);
  writer.write("path", path.native());
  if (const auto info = loader_info(loader))
    writer.write("info", ask(info, kName), ask(info, kVersion), ask(info, kOpenCl));
}

}  // namespace

void check_loader(const Machine&, Report& report) {
  constexpr std::chrono::seconds kLimit{10};
  const ChildReport child = ask_child(kLimit, probe_loader);
  if (child.end != ChildReport::End::well) return report.add(Finding::loader_crashes, child.how);
  if (const auto* failure = child.find("failure"))
    return report.add(Finding::loader_missing, failure->back());
  const std::string path = child.value("path");
  const auto* info = child.find("info");
  if (!info || info->size() < 4) return report.add(Finding::loader_unknown, path);
  const std::string& opencl = (*info)[3];
  report.ok("loader", "{}: {} {}, {}", path, (*info)[1], (*info)[2], opencl);
  // "OpenCL 3.0"
  const std::size_t digit = opencl.find_first_of("0123456789");
  if (digit != std::string::npos && opencl[digit] < '3') report.add(Finding::loader_old, path, opencl);
}

}  // namespace clcuda::doctor
