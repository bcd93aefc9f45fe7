// SPDX-License-Identifier: Apache-2.0
// Hints: clEnqueueMigrateMemINTEL and clEnqueueMemAdviseINTEL.
#include "usm_test.h"

namespace {

class UsmHints : public test::UsmTest {};

constexpr cl_mem_migration_flags kFlags[] = {
    CL_MIGRATE_MEM_OBJECT_HOST, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED,
    CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED};

TEST_F(UsmHints, MigrationsChangeNothing) {
  const std::size_t size = 100'000;
  for (const test::Usm kind : test::kAllKinds) {
    const test::UsmMemory memory = allocate(kind, size);
    const auto values = test::random_values(size);
    write(memory, values);
    for (const cl_mem_migration_flags flags : kFlags)
      for (int i = 0; i < 5; ++i) {
        const std::size_t at = test::random_engine()() % size, part = test::random_engine()() % (size - at);
        CL_OK(usm->migrate(queue, memory.get() + at, part, flags, 0, nullptr, nullptr));
        CL_OK(usm->advise(queue, memory.get() + at, part, 0, 0, nullptr, nullptr));
      }
    EXPECT_EQ(read(memory, size), values);
  }
  std::vector<char> own(100);
  CL_EXPECT(CL_SUCCESS, usm->migrate(queue, own.data(), 100, kFlags[0], 0, nullptr, nullptr));
  CL_EXPECT(CL_SUCCESS, usm->advise(queue, own.data(), 100, 0, 0, nullptr, nullptr));
}

TEST_F(UsmHints, Errors) {
  const test::UsmMemory memory = allocate(test::Usm::shared, 1000);
  const auto migrate = [&](const void* at, std::size_t size, cl_mem_migration_flags flags) {
    return usm->migrate(queue, at, size, flags, 0, nullptr, nullptr);
  };
  CL_EXPECT(CL_INVALID_VALUE, migrate(memory.get(), 1000, 0));  // 0 is invalid before version 1.2
  CL_EXPECT(CL_INVALID_VALUE, migrate(memory.get(), 1000, 4));
  CL_EXPECT(CL_INVALID_VALUE, migrate(memory.get(), 1000, CL_MIGRATE_MEM_OBJECT_HOST | 8));
  CL_EXPECT(CL_INVALID_VALUE, migrate(memory.get() + 1, 1000, CL_MIGRATE_MEM_OBJECT_HOST));
  CL_EXPECT(CL_INVALID_VALUE, migrate(nullptr, 1000, CL_MIGRATE_MEM_OBJECT_HOST));
  const auto advise = [&](const void* at, std::size_t size, cl_mem_advice_intel advice) {
    return usm->advise(queue, at, size, advice, 0, nullptr, nullptr);
  };
  for (const cl_mem_advice_intel advice : {1u, 0x4208u, 0x420fu, ~0u})
    CL_EXPECT(CL_INVALID_VALUE, advise(memory.get(), 1000, advice));
  CL_EXPECT(CL_INVALID_VALUE, advise(memory.get() + 1, 1000, 0));
  CL_EXPECT(CL_INVALID_VALUE, advise(nullptr, 1000, 0));
}

TEST_F(UsmHints, WaitLists) {
  const test::UsmMemory memory = allocate(test::Usm::shared, 1000);
  check_wait_list(CL_COMMAND_MIGRATEMEM_INTEL, [&](cl_command_queue tested, cl_uint count,
                                                   const cl_event* waits, cl_event* event) {
    return usm->migrate(tested, memory.get(), 1000, CL_MIGRATE_MEM_OBJECT_HOST, count, waits, event);
  });
  check_wait_list(CL_COMMAND_MEMADVISE_INTEL,
                  [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                    return usm->advise(tested, memory.get(), 1000, 0, count, waits, event);
                  });
}

}  // namespace
