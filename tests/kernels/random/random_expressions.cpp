// SPDX-License-Identifier: Apache-2.0
// Random expressions of scalars and vectors of all types, with branches, loops and exchanges through local memory, optimized and not. The
// expected results are computed on the host together with the text (model.h). CLCUDA_TEST_SEED repeats a run, CLCUDA_TEST_SECONDS makes it
// longer.
#include <chrono>
#include <cstdlib>

#include "generator.h"
#include "support/programs.h"

namespace random_kernels {
namespace {

class RandomExpressions : public test::Programs {
 protected:
  std::vector<Raw> run(const Generator::Program& made, const char* options) const {
    const test::Program program = build(made.source, options);
    const test::Kernel kernel = make_kernel(program, "k");
    const test::Buffer out = make_buffer(std::vector<Raw>(made.expected.size())),
                       given = make_buffer(made.input);
    set_arguments(kernel, out, given);
    const std::size_t items = Generator::kItems, group = Generator::kGroup;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &group, 0, nullptr, nullptr));
    return contents<Raw>(out, made.expected.size());
  }
};

TEST_F(RandomExpressions, AreWhatTheHostComputes) {
  const char* wanted = std::getenv("CLCUDA_TEST_SECONDS");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wanted ? std::atoi(wanted) : 5);
  Generator generator(test::random_engine());
  int programs = 0;
  do {
    const Generator::Program made = generator.make();
    for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
      const std::vector<Raw> seen = run(made, options);
      ASSERT_EQ(made.expected.size(), seen.size());
      for (std::size_t i = 0; i < seen.size(); ++i)
        ASSERT_EQ(made.expected[i], seen[i])
            << "program " << programs << ", " << options << ", statement " << i % Generator::kStatements + 1
            << " of work-item " << i / Generator::kStatements << " in\n"
            << made.source;
    }
    ++programs;
  } while (std::chrono::steady_clock::now() < end);
  RecordProperty("programs", programs);
}

}  // namespace
}  // namespace random_kernels
