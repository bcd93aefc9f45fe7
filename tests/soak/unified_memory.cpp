// SPDX-License-Identifier: Apache-2.0
// Unified shared memory of each kind, freed after the commands that use it are complete, or while they are held or in flight.
#include "api/usm_test.h"
#include "soak/pointer_commands.h"
#include "soak/session.h"
#include "soak/tally.h"
#include "support/device_info.h"

namespace soak {
namespace {

const test::UsmFunctions& usm(cl_device_id device) {
  static const test::UsmFunctions functions(test::device_info<cl_platform_id>(device, CL_DEVICE_PLATFORM));
  return functions;
}

// An allocation and its context. The destructor frees it without waiting.
class Allocation {
 public:
  Allocation(const Session& session, test::Usm kind, std::size_t size)
      : functions_(usm(session.devices().front())), context_(session.context()) {
    CL_EXPECT(CL_SUCCESS, clRetainContext(session.context()));
    cl_int error = 1;
    const cl_device_id device = session.devices().front();
    void* const made =
        kind == test::Usm::host ? functions_.host_alloc(context_, nullptr, size, 0, &error)
        : kind == test::Usm::device
            ? functions_.device_alloc(context_, device, nullptr, size, 0, &error)
            : functions_.shared_alloc(context_, chance(50) ? device : nullptr, nullptr, size, 0, &error);
    CL_EXPECT(CL_SUCCESS, error);
    data_ = static_cast<std::uint8_t*>(made);
  }
  Allocation(Allocation&& other) noexcept
      : functions_(other.functions_),
        context_(std::move(other.context_)),
        data_(std::exchange(other.data_, nullptr)) {}
  ~Allocation() {
    if (data_) CL_EXPECT(CL_SUCCESS, functions_.free(context_, data_));
  }
  const test::UsmFunctions& functions() const { return functions_; }
  std::uint8_t* data() const { return data_; }

 private:
  const test::UsmFunctions& functions_;
  test::Context context_;
  std::uint8_t* data_ = nullptr;
};

void copy(Chain& chain, const Allocation& memory, void* to, const void* from, std::size_t size) {
  const cl_bool blocking = !chain.fails() && chance(20);
  chain([&](cl_command_queue queue, auto... events) {
    return memory.functions().copy(queue, blocking, to, from, size, events...);
  });
}

void write(Chain& chain, const Allocation& memory, Bytes& bytes, Pending& pending) {
  bytes = test::random_values(bytes.size());
  copy(chain, memory, memory.data(), pending.keep(bytes).data(), bytes.size());
}

void fill(Chain& chain, const Allocation& memory, Bytes& bytes) {
  fill_by_pointer(
      chain, bytes, 8, [&](cl_command_queue queue, const Bytes& pattern, std::size_t size, auto... events) {
        return memory.functions().fill(queue, memory.data(), pattern.data(), pattern.size(), size, events...);
      });
}

void add(const Session& session, Chain& chain, const Allocation& memory, Bytes& bytes) {
  add_by_pointer(session, chain, bytes,
                 [&](cl_kernel kernel) { return memory.functions().set_argument(kernel, 0, memory.data()); });
}

void migrate(Chain& chain, const Allocation& memory, std::size_t size) {
  const cl_mem_migration_flags flags =
      chance(50) ? CL_MIGRATE_MEM_OBJECT_HOST : CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  chain([&](cl_command_queue queue, auto... events) {
    return memory.functions().migrate(queue, memory.data(), size, flags, events...);
  });
}

}  // namespace

std::unique_ptr<Pending> use_unified_memory(Session& session) {
  if (!test::has_usm(session.devices().front())) return nullptr;
  auto pending = std::make_unique<Pending>("unified shared memory");
  Chain chain(session);
  const test::Usm kind = test::kAllKinds[below(std::size(test::kAllKinds))];
  // Kernels and fills access only memory of their own device.
  if (kind == test::Usm::device) chain.stay();
  Bytes bytes(any_size(400'000));
  Allocation memory(session, kind, bytes.size());
  write(chain, memory, bytes, *pending);
  for (auto left = below(6); left > 0; --left) switch (below(5)) {
      case 0:
        fill(chain, memory, bytes);
        break;
      case 1:
        migrate(chain, memory, bytes.size());
        break;
      case 2:
        write(chain, memory, bytes, *pending);
        break;
      case 3: {
        const Allocation other(session, test::kAllKinds[below(std::size(test::kAllKinds))], bytes.size());
        copy(chain, memory, other.data(), memory.data(), bytes.size());
        copy(chain, memory, memory.data(), other.data(), bytes.size());
        break;
      }
      default:
        add(session, chain, memory, bytes);
    }
  copy(chain, memory, pending->seen(bytes), memory.data(), bytes.size());
  if (chance(50)) pending->keep(std::move(memory));
  pending->ends_with(chain.take_last(), chain.fails());
  return pending;
}

}  // namespace soak
