// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/ptx_compiler_plugin.h"
#include "checks.h"
#include "child.h"

namespace clcuda::doctor {
namespace {

namespace fs = std::filesystem;

// A library that the loader opens, and the file or variable that names it.
struct Named {
  std::string by, library;
  bool is_ours() const { return fs::path(library).filename().native().find("clcuda") != std::string::npos; }
  // The dynamic linker searches for a name without a slash.
  bool is_path() const { return library.find('/') != std::string::npos; }
};

std::string trim(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return {};
  const std::string line = text.substr(begin, text.find_first_of("\r\n", begin) - begin);
  return line.substr(0, line.find_last_not_of(" \t") + 1);
}

// What a path is that is no file; null for a file, and for what cannot be looked at.
const char* kind_of(const fs::path& path) {
  std::error_code error;
  switch (fs::status(path, error).type()) {
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::fifo:
      return "a pipe";
    case fs::file_type::socket:
      return "a socket";
    case fs::file_type::block:
    case fs::file_type::character:
      return "a device";
    default:
      return nullptr;
  }
}

void read_icd_file(const fs::path& file, std::vector<Named>& named, Report& report) {
  if (const char* kind = kind_of(file)) return report.add(Finding::icd_no_file, file.native(), kind);
  const std::optional<std::string> text = read_file(file);
  if (!text) return report.add(Finding::icd_unreadable, file.native(), std::strerror(errno));
  const std::string library = trim(*text);
  if (library.empty()) return report.add(Finding::icd_empty, file.native());
  named.push_back({file.native(), library});
}

void read_folder(const fs::path& folder, const std::string& origin, std::vector<Named>& named,
                 Report& report) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return report.add(Finding::icd_folder_missing, folder.native(), origin);
  std::vector<fs::path> files;
  for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error))
    if (each->path().extension() == ".icd") files.push_back(each->path());
  if (error) return report.add(Finding::icd_unreadable, folder.native(), error.message());
  std::ranges::sort(files);
  for (const fs::path& file : files) read_icd_file(file, named, report);
}

// OCL_ICD_VENDORS is a folder, for ocl-icd also a file or a library; OPENCL_VENDOR_PATH a folder, which ocl-icd reads if the first is not
// set. Returns the place that was searched.
std::string read_vendors(const Machine& machine, std::vector<Named>& named, Report& report) {
  for (const char* name : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"}) {
    const std::string value = variable(name);
    if (value.empty()) continue;
    std::error_code error;
    if (value.ends_with(".icd") && fs::is_regular_file(value, error))
      read_icd_file(value, named, report);
    else if (value.find(".so") != std::string::npos && !fs::is_directory(value, error))
      named.push_back({name, value});
    else
      read_folder(value, std::string("the variable ") + name, named, report);
    return std::string(name) + "=" + value;
  }
  const fs::path folder = machine.at("/etc/OpenCL/vendors");
  read_folder(folder, "where it looks by default", named, report);
  return folder.native();
}

// Khronos' loader: a colon-separated list of libraries, in addition to the others.
std::string read_file_names(std::vector<Named>& named) {
  const std::string value = variable("OCL_ICD_FILENAMES");
  for (std::size_t begin = 0; begin < value.size();) {
    const std::size_t end = std::min(value.find(':', begin), value.size());
    if (end > begin) named.push_back({"OCL_ICD_FILENAMES", value.substr(begin, end - begin)});
    begin = end + 1;
  }
  return value.empty() ? "" : ", OCL_ICD_FILENAMES=" + value;
}

void probe_library(const std::string& library, const ReportWriter& writer) {
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return writer.write("failure", ::dlerror());
  writer.write("symbol", ::dlsym(handle, "clGetExtensionFunctionAddress") ? "yes" : "no");
}

// Whether a library's file contains a text.
bool contains(const std::string& library, std::string_view text) {
  const int file = ::open(library.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (file < 0 || ::fstat(file, &status) != 0 || status.st_size == 0) return false;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  ::close(file);
  if (bytes == MAP_FAILED) return false;
  const bool found = ::memmem(bytes, size, text.data(), text.size()) != nullptr;
  ::munmap(bytes, size);
  return found;
}

void try_library(const Named& named, Report& report) {
  std::error_code error;
  const bool absent = named.is_path() && !fs::exists(named.library, error);
  if (absent && named.is_ours()) return report.add(Finding::icd_library_missing, named.by, named.library);
  if (absent) return report.add(Finding::icd_other_fails, named.by, named.library, "there is no such file");
  constexpr std::chrono::seconds kLimit{20};
  const ChildReport child =
      ask_child(kLimit, [&](const ReportWriter& writer) { probe_library(named.library, writer); });
  if (child.end != ChildReport::End::well)
    return report.add(Finding::icd_library_crashes, named.by, named.library, child.how);
  if (const auto* failure = child.find("failure"))
    return report.add(named.is_ours() ? Finding::icd_library_fails : Finding::icd_other_fails, named.by,
                      named.library, failure->back());
  if (child.value("symbol") != "yes")
    return report.add(Finding::icd_no_implementation, named.by, named.library);
  report.ok("icd", "{} names {}, which loads", named.by, named.library);
}

// Reports two entries that name clcuda. A variable that names the same library as a file does no harm.
void find_second_implementation(const std::vector<Named>& named, Report& report) {
  const Named* first = nullptr;
  for (const Named& each : named) {
    if (!each.is_ours()) continue;
    std::error_code error;
    const bool harmless =
        first && each.by == "OCL_ICD_FILENAMES" && fs::equivalent(first->library, each.library, error);
    if (first && !harmless) return report.add(Finding::icd_twice, first->by, each.by);
    if (!first) first = &each;
  }
}

}  // namespace

void check_icd(const Machine& machine, Report& report) {
  std::vector<Named> named;
  std::string where = read_vendors(machine, named, report);
  where += read_file_names(named);
  for (const Named& each : named) try_library(each, report);
  for (const Named& each : named)
    if (each.is_ours() && machine.has_driver_nodes() && contains(each.library, kPtxCompilerPlugin) &&
        find_ptx_compiler_plugin(fs::path(each.library).parent_path()).empty())
      report.add(Finding::ptx_compiler_absent, each.library);
  if (std::ranges::none_of(named, &Named::is_ours)) report.add(Finding::icd_absent, where);
  find_second_implementation(named, report);
}

}  // namespace clcuda::doctor
