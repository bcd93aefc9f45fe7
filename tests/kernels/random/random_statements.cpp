// SPDX-License-Identifier: Apache-2.0
// Kernels of random statements (statement_generator.h), optimized and not. The expected results are computed on the host by an interpreter
// of the same statements (machine.h). CLCUDA_TEST_SEED repeats a run, CLCUDA_TEST_SECONDS makes it longer.
#include <chrono>
#include <cstdlib>

#include "statement_generator.h"
#include "support/programs.h"

namespace random_kernels {
namespace {

StatementGenerator::Program random_program() {
  for (;;) {
    try {
      return StatementGenerator(test::random_engine()).make();
    } catch (const Machine::TooLong&) {
    }
  }
}

class RandomStatements : public test::Programs {
 protected:
  std::vector<Raw> run(const StatementGenerator::Program& made, const char* options) const {
    const test::Program program = build(made.source, options);
    const test::Kernel kernel = make_kernel(program, "k");
    const test::Buffer out = make_buffer(std::vector<Raw>(made.expected.size())),
                       given = make_buffer(made.input),
                       own = make_buffer(std::vector<Raw>(kItems * made.own_words)),
                       board = make_buffer(std::vector<cl_uint>(made.board_words));
    set_arguments(kernel, out, given, own, board);
    const std::size_t count = kItems, size = kGroup;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, &size, 0, nullptr, nullptr));
    return contents<Raw>(out, made.expected.size());
  }
};

TEST_F(RandomStatements, DoWhatTheHostDoes) {
  const char* wanted = std::getenv("CLCUDA_TEST_SECONDS");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wanted ? std::atoi(wanted) : 5);
  int programs = 0;
  do {
    const StatementGenerator::Program made = random_program();
    const std::size_t count = made.variables.size();
    for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
      const std::vector<Raw> seen = run(made, options);
      ASSERT_EQ(made.expected.size(), seen.size());
      for (std::size_t i = 0; i < seen.size(); ++i)
        ASSERT_EQ(made.expected[i], seen[i])
            << "program " << programs << ", " << options << ", " << made.variables[i % count]
            << " of work-item " << i / count << " in\n"
            << made.source;
    }
    ++programs;
  } while (std::chrono::steady_clock::now() < end);
  RecordProperty("programs", programs);
}

}  // namespace
}  // namespace random_kernels
