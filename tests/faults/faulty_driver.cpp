// SPDX-License-Identifier: Apache-2.0
#include "faulty_driver.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <string_view>
#include <utility>

#include "support/driver_functions.h"

namespace faults::driver {
namespace {

using clcuda::cuda::DriverTable;

using Function = test::DriverFunction;

enum class Kind : std::uint8_t { other, made_first, question, sound };

// The functions that return names of errors never fail. Nor do those that get or set a thread's context, which use no resources.
constexpr Kind kind_of(std::string_view name) {
  const auto has = [name](std::string_view word) { return name.find(word) != std::string_view::npos; };
  if (name.starts_with("cuGetError") || name.starts_with("cuCtxSetCurrent") ||
      name.starts_with("cuCtxGetCurrent"))
    return Kind::sound;
  if (has("Query")) return Kind::question;
  for (const std::string_view word : {"Free", "Destroy", "Unload", "Release", "Synchronize", "TrimTo"})
    if (has(word)) return Kind::made_first;
  return Kind::other;
}

struct State {
  DriverTable sound, faulty;
  std::atomic<bool> armed = false, struck = false;
  std::atomic<std::uint64_t> calls = 0;
  Fault fault;
  std::atomic<const char*> failed = nullptr;
  void (*strikes)(const char*) = nullptr;
  std::atomic<bool> page_faults = false;
  std::array<std::atomic<long>, static_cast<std::size_t>(Function::count)> calls_of{}, successes{};
};

State& state() {
  static State& instance = *new State;
  return instance;
}

thread_local int under_way = 0;
struct UnderWay {
  UnderWay() { ++under_way; }
  ~UnderWay() { --under_way; }
};

// Returns whether this call is to fail, and counts it.
bool strikes(const char* name) {
  State& s = state();
  if (!s.armed.load(std::memory_order_acquire)) return false;
  if (!s.fault.function.empty() && s.fault.function != name) return false;
  const std::uint64_t call = s.calls.fetch_add(1) + 1;
  if (call != s.fault.call) return s.fault.lasting && s.struck.load();
  s.struck = true;
  s.failed = name;
  if (s.strikes) s.strikes(name);
  return true;
}

template <Function kFunction, auto kMember>
struct Wrapped;

template <Function kFunction, class... Arguments, CUresult (*DriverTable::*kMember)(Arguments...)>
struct Wrapped<kFunction, kMember> {
  static CUresult call(Arguments... arguments) {
    constexpr std::string_view kName = test::name_of(kFunction);
    constexpr Kind kKind = kind_of(kName);
    State& s = state();
    const UnderWay call;
    ++s.calls_of[static_cast<std::size_t>(kFunction)];
    if (kKind == Kind::other && strikes(kName.data())) return s.fault.error;
    const CUresult result = (s.sound.*kMember)(arguments...);
    if (result == CUDA_SUCCESS) ++s.successes[static_cast<std::size_t>(kFunction)];
    if (kKind == Kind::other || kKind == Kind::sound || result == CUDA_ERROR_NOT_READY) return result;
    return strikes(kName.data()) ? s.fault.error : result;
  }
};

// A device attribute, which reach_host_memory_by_page_faults() may override.
CUresult attribute(int* value, CUdevice_attribute name, CUdevice device) {
  using Sound = Wrapped<Function::cuDeviceGetAttribute, &DriverTable::cuDeviceGetAttribute>;
  const CUresult result = Sound::call(value, name, device);
  if (result == CUDA_SUCCESS && state().page_faults &&
      name == CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES)
    *value = 0;
  return result;
}

long successes(Function function) { return state().successes[static_cast<std::size_t>(function)]; }

}  // namespace

void arm(const Fault& fault) {
  State& s = state();
  s.fault = fault;
  s.calls = 0;
  s.failed = nullptr;
  s.struck = false;
  s.armed.store(true, std::memory_order_release);
}

long calls_of(std::string_view function) {
  const auto name = std::ranges::find(test::kDriverFunctionNames, function);
  return state().calls_of.at(static_cast<std::size_t>(name - std::begin(test::kDriverFunctionNames)));
}

int calls_under_way() { return under_way; }

Outcome disarm() {
  State& s = state();
  s.armed = false;
  return {s.calls, s.failed};
}

void reach_host_memory_by_page_faults() { state().page_faults = true; }

void when_it_strikes(void (*function)(const char*)) { state().strikes = function; }

std::map<std::string, long> things() {
  const auto left = [](Function made, Function ended) { return successes(made) - successes(ended); };
  using enum Function;
  return {
      {"streams", left(cuStreamCreateWithPriority, cuStreamDestroy)},
      {"blocks of memory", left(cuMemAlloc, cuMemFree) + successes(cuMemAllocManaged)},
      {"blocks of pools", left(cuMemAllocFromPoolAsync, cuMemFreeAsync)},
      {"blocks of host memory", left(cuMemHostAlloc, cuMemFreeHost)},
      {"registered pieces", left(cuMemHostRegister, cuMemHostUnregister)},
      {"pools", left(cuMemPoolCreate, cuMemPoolDestroy)},
      {"arrays", left(cuArray3DCreate, cuArrayDestroy)},
      {"mipmaps", left(cuMipmappedArrayCreate, cuMipmappedArrayDestroy)},
      {"textures", left(cuTexObjectCreate, cuTexObjectDestroy)},
      {"surfaces", left(cuSurfObjectCreate, cuSurfObjectDestroy)},
      {"link states", left(cuLinkCreate, cuLinkDestroy)},
      {"graphs", left(cuGraphCreate, cuGraphDestroy)},
      {"executable graphs", left(cuGraphInstantiate, cuGraphExecDestroy)},
      {"modules", left(cuModuleLoadData, cuModuleUnload)},
      {"contexts", left(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRelease)},
  };
}

}  // namespace faults::driver

const clcuda::cuda::DriverTable& test::own_table(int device_count) {
  using namespace faults::driver;
  static const bool made = [device_count] {
    State& s = state();
    s.sound = test::executors_table(device_count);
    s.faulty = s.sound;
    wrap_every_function<Wrapped>(s.faulty);
    s.faulty.cuDeviceGetAttribute = attribute;
    return true;
  }();
  (void)made;
  return state().faulty;
}
