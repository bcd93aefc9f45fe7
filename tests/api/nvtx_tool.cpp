// SPDX-License-Identifier: Apache-2.0
// A tool that NVTX loads (NVTX_INJECTION64_PATH). It writes the ranges that begin and end to the file NVTX_TOOL_FILE, as "push NAME" and
// "pop", each after the name of its domain.
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <string>

namespace {

// A file to which several threads write.
class Log {
 public:
  void line(nvtxDomainHandle_t domain, const std::string& text) {
    const std::lock_guard lock(mutex_);
    std::fprintf(file_, "%s: %s\n", reinterpret_cast<const std::string*>(domain)->c_str(), text.c_str());
    std::fflush(file_);
  }
  nvtxDomainHandle_t add_domain(const char* name) {
    const std::lock_guard lock(mutex_);
    return reinterpret_cast<nvtxDomainHandle_t>(&domains_.emplace_back(name));
  }

 private:
  std::mutex mutex_;
  std::deque<std::string> domains_;
  std::FILE* file_ = std::fopen(std::getenv("NVTX_TOOL_FILE"), "w");
};
Log& log() {
  static Log& log = *new Log;
  return log;
}

nvtxDomainHandle_t NVTX_API create_domain(const char* name) { return log().add_domain(name); }
int NVTX_API push_range(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  log().line(domain, std::string("push ") + attributes->message.ascii);
  return 0;
}
int NVTX_API pop_range(nvtxDomainHandle_t domain) {
  log().line(domain, "pop");
  return 0;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that NVTX looks for
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t get_export_table) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(get_export_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size)) return 0;
  if (size <= NVTX_CBID_CORE2_DomainCreateA) return 0;
  *table[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(create_domain);
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(push_range);
  *table[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(pop_range);
  return 1;
}
