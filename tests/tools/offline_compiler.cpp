// SPDX-License-Identifier: Apache-2.0
// clcuda-compile, and how the library loads its output.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "support/opencl.h"
#include "support/spirv.h"

namespace {

struct Outcome {
  int status = 0;
  std::string output, errors;
};

class OfflineCompiler : public test::OpenCL {
 protected:
  OfflineCompiler() { EXPECT_NE(nullptr, mkdtemp(folder_.data())); }
  void SetUp() override {
    if (!std::filesystem::exists(CLCUDA_COMPILE)) GTEST_SKIP() << CLCUDA_COMPILE << " is not on this machine";
    OpenCL::SetUp();
  }
  ~OfflineCompiler() override {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  static std::string read(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  Outcome compile(const std::vector<std::string>& words) const {
    return compile(words, ">" + path("stdout"));
  }
  // `redirected`: the shell's redirections.
  Outcome compile(const std::vector<std::string>& words, const std::string& redirected) const {
    std::string command = CLCUDA_COMPILE;
    for (const std::string& word : words) {
      command += " '";
      for (const char c : word) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
      command += "'";
    }
    const int status = std::system((command + " " + redirected + " 2>" + path("stderr")).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(path("stdout")), read(path("stderr"))};
  }

  test::Program from_binary(const std::string& file) const {
    const std::string bytes = read(file);
    const std::size_t size = bytes.size();
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    cl_int status = 1, error = 1;
    test::Program program = clCreateProgramWithBinary(context, 1, &device, &size, &data, &status, &error);
    CL_EXPECT(CL_SUCCESS, error);
    CL_EXPECT(CL_SUCCESS, status);
    return program;
  }
  test::Program from_il(const std::string& file) const {
    const std::string bytes = read(file);
    cl_int error = 1;
    test::Program program = clCreateProgramWithIL(context, bytes.data(), bytes.size(), &error);
    CL_EXPECT(CL_SUCCESS, error);
    return program;
  }
  void build(cl_program program) const {
    CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  }
  // The program's kernel `scale` must multiply random numbers by `factor` and add `offset`.
  void expect_scaled(cl_program program, std::uint32_t factor, std::uint32_t offset = 0) const {
    auto values = test::random_values<std::uint32_t>(1000);
    const test::Buffer buffer = make_buffer(values);
    const test::Kernel kernel = make_kernel(program, "scale");
    const cl_mem argument = buffer;
    CL_OK(clSetKernelArg(kernel, 0, sizeof argument, &argument));
    const std::size_t count = values.size();
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, nullptr, 0, nullptr, nullptr));
    for (std::uint32_t& value : values) value = value * factor + offset;
    EXPECT_EQ(values, contents<std::uint32_t>(buffer, values.size()));
  }

  const std::string scale_ =
      "kernel void scale(global uint* v) { size_t i = get_global_id(0); v[i] = v[i] * FACTOR; }";
  const std::uint32_t factor_ = test::random_values<std::uint32_t>(1)[0];
  const std::string macro_ = "-DFACTOR=" + std::to_string(factor_) + "u";

 private:
  std::string folder_ = "/tmp/clcuda-compile-XXXXXX";
};

TEST_F(OfflineCompiler, WritesPtx) {
  const std::string file = write("scale.cl", scale_);
  for (const char* chip : {"sm_75", "sm_80", "sm_90", "sm_100", "sm_120"}) {
    const Outcome run = compile({macro_, std::string("--device=") + chip, file});
    EXPECT_EQ(0, run.status) << run.errors;
    EXPECT_EQ("", run.errors);
    EXPECT_NE(std::string::npos, run.output.find(std::string(".target ") + chip + "\n"));
    EXPECT_NE(std::string::npos, run.output.find(".visible .entry scale("));
  }
  EXPECT_EQ(0, compile({macro_, "-o", path("scale.ptx"), file}).status);
  EXPECT_NE(std::string::npos, read(path("scale.ptx")).find(".target sm_75\n"));
}

// What kernels ask about an image has the same values from SPIR-V as from source.
TEST_F(OfflineCompiler, WritesQueriesOfImages) {
  const std::string file = write("ask.cl",
                                 "kernel void ask(read_only image2d_t image, global int* found) {\n"
                                 "  found[0] = get_image_channel_data_type(image);\n"
                                 "  found[1] = get_image_channel_order(image);\n"
                                 "  found[2] = get_image_width(image);\n"
                                 "  found[3] = get_image_height(image);\n"
                                 "  found[4] = get_image_channel_data_type(image) == CLK_UNORM_INT8;\n"
                                 "}\n");
  const Outcome run = compile({"--emit=spirv", "-o", path("ask.spv"), file});
  ASSERT_EQ(0, run.status) << run.errors;
  const test::Program program = from_il(path("ask.spv"));
  build(program);
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = 9;
  description.image_height = 5;
  cl_int error = 1;
  const test::Buffer image = clCreateImage(context, CL_MEM_READ_ONLY, &format, &description, nullptr, &error);
  CL_OK(error);
  const test::Kernel kernel = make_kernel(program, "ask");
  const test::Buffer found = make_buffer(5 * sizeof(cl_int));
  set_arguments(kernel, image, found);
  const std::size_t one = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(contents<cl_int>(found, 5), (std::vector<cl_int>{CL_UNORM_INT8, CL_RGBA, 9, 5, 1}));
}

// One PTX module, as an assembler needs it, although the library would split such a program.
TEST_F(OfflineCompiler, WritesOneModule) {
  std::string source;
  for (int k = 0; k < 4; ++k) {
    source += "kernel void k" + std::to_string(k) + "(global float* v) { size_t i = get_global_id(0);\n";
    for (int i = 0; i < 100; ++i) source += "v[i] = sin(v[i] * " + std::to_string(i + k) + ") + cos(v[i]);\n";
    source += "}\n";
  }
  const Outcome run = compile({write("four.cl", source)});
  ASSERT_EQ(0, run.status) << run.errors;
  const std::size_t version = run.output.find("\n.version ");
  EXPECT_NE(std::string::npos, version);
  EXPECT_EQ(std::string::npos, run.output.find("\n.version ", version + 1));
  for (int k = 0; k < 4; ++k)
    EXPECT_NE(std::string::npos, run.output.find(".visible .entry k" + std::to_string(k) + "("));
}

TEST_F(OfflineCompiler, WritesTheGeneralVariant) {
  const std::string file = write("ids.cl", "kernel void k(global ulong* p) { *p = get_global_id(0); }");
  const Outcome uniform = compile({file}), general = compile({"--general", file});
  EXPECT_EQ(0, general.status) << general.errors;
  EXPECT_NE(std::string::npos, general.output.find(".visible .entry k"));
  EXPECT_NE(uniform.output, general.output);
}

TEST_F(OfflineCompiler, WritesBinaries) {
  const std::string file = write("scale.cl", scale_);
  const Outcome run = compile({macro_, "--emit=binary", file});
  ASSERT_EQ(0, run.status) << run.errors;
  const test::Program program = from_binary(path("scale.clbin"));
  build(program);
  expect_scaled(program, factor_);
}

TEST_F(OfflineCompiler, WritesModules) {
  const std::string file = write("scale.cl", scale_);
  for (const char* version : {"1.0", "1.4", "1.6"}) {
    const Outcome run = compile({macro_, "--emit=spirv", std::string("--spirv-version=") + version, file});
    ASSERT_EQ(0, run.status) << run.errors;
    EXPECT_EQ(version[2] - '0', read(path("scale.spv"))[5]) << "of version " << version;
    const test::Program program = from_il(path("scale.spv"));
    build(program);
    expect_scaled(program, factor_);
  }
}

// What selects a member of a structure must be an OpConstant, not an OpConstantNull, which LLVM's back end writes for zero.
TEST_F(OfflineCompiler, WritesZerosThatSelectMembers) {
  const std::string file = write("members.cl",
                                 "struct Bytes { uchar all[4]; ulong number; };\n"
                                 "kernel void clear(global struct Bytes* b) { for (int i = 0; i < 4; ++i) "
                                 "b[get_global_id(0)].all[i] = 0; b[0].number = 0; }");
  const Outcome run = compile({"--emit=spirv", file});
  ASSERT_EQ(0, run.status) << run.errors;
  const std::string bytes = read(path("members.spv"));
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  constexpr std::uint32_t kTypeInt = 21, kConstant = 43, kConstantNull = 46;
  std::set<std::uint32_t> integers;
  int zeros = 0;
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
    const std::uint32_t code = words[at] & 0xffff;
    if (code == kTypeInt) integers.insert(words[at + 1]);
    if (code == kConstantNull) EXPECT_FALSE(integers.contains(words[at + 1])) << "at word " << at;
    zeros += code == kConstant && words[at + 3] == 0;
  }
  EXPECT_GT(zeros, 0);
  build(from_il(path("members.spv")));
}

TEST_F(OfflineCompiler, ReadsModules) {
  const std::string file = write("scale.cl", scale_);
  ASSERT_EQ(0, compile({macro_, "--emit=spirv", file}).status);
  const Outcome run = compile({"--emit=binary", "-o", path("from_module"), path("scale.spv")});
  ASSERT_EQ(0, run.status) << run.errors;
  const test::Program program = from_binary(path("from_module"));
  build(program);
  expect_scaled(program, factor_);
}

TEST_F(OfflineCompiler, LinksFiles) {
  const std::string function = write("add.cl", "uint add(uint x) { return x + OFFSET; }");
  const std::string kernel =
      write("kernel.cl",
            "uint add(uint x); kernel void scale(global uint* v) { v[get_global_id(0)] = "
            "add(v[get_global_id(0)]); }");
  const auto offset = test::random_values<std::uint32_t>(1)[0];
  const std::string macro = "-DOFFSET=" + std::to_string(offset) + "u";
  ASSERT_EQ(0, compile({macro, "-c", "-o", path("add.o"), function}).status);
  ASSERT_EQ(0, compile({"-create-library", "-o", path("add.lib"), path("add.o")}).status);
  for (const std::string& input : {path("add.o"), path("add.lib"), function}) {
    const Outcome run = compile({macro, "--emit=binary", "-o", path("program"), input, kernel});
    ASSERT_EQ(0, run.status) << run.errors;
    const test::Program program = from_binary(path("program"));
    build(program);
    expect_scaled(program, 1, offset);
  }
  const Outcome alone = compile({"--emit=binary", "-o", path("none"), kernel});
  EXPECT_EQ(1, alone.status);
  EXPECT_NE(std::string::npos, alone.errors.find("add")) << alone.errors;
  EXPECT_FALSE(std::filesystem::exists(path("none")));
}

// The kernel of constants.spvasm stores its constants; the fourth one has SpecId 32.
TEST_F(OfflineCompiler, SpecializesModules) {
  const std::string file = write("constants.spv", test::module("constants"));
  const auto value = test::random_values<std::uint32_t>(1)[0];
  ASSERT_EQ(0, compile({"--specialize=32=" + std::to_string(value), "--emit=binary", file}).status);
  const test::Program program = from_binary(path("constants.clbin"));
  build(program);
  const test::Buffer buffer = make_buffer(10 * sizeof(std::uint64_t));
  const test::Kernel kernel = make_kernel(program, "constants");
  const cl_mem argument = buffer;
  CL_OK(clSetKernelArg(kernel, 0, sizeof argument, &argument));
  const std::size_t one = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(value, contents<std::uint64_t>(buffer, 10)[3]);
}

TEST_F(OfflineCompiler, TakesTheSuitesArguments) {
  const std::string file = write("scale.cl", scale_),
                    info = write("device.txt", "CL_DEVICE_ADDRESS_BITS=64\n");
  const Outcome run =
      compile({"--mode=spir-v", "--cl-device-info=" + info, "--source=" + file,
               "--output=" + path("scale.spv64"), "--", macro_, "-cl-std=CL3.0", "-cl-fp64-enable"});
  ASSERT_EQ(0, run.status) << run.errors;
  const test::Program program = from_il(path("scale.spv64"));
  build(program);
  expect_scaled(program, factor_);
}

TEST_F(OfflineCompiler, PassesOptionsOnAsTheyAre) {
  const std::string file =
      write("text.cl", "constant char text[] = TEXT; kernel void k(global char* p) { *p = text[*p]; }");
  const Outcome run = compile({"-D", R"(TEXT="a \ b	c")", "-cl-std=CL3.0", "-w", file});
  EXPECT_EQ(0, run.status) << run.errors;
  const std::string letters = write("letters.cl", "#if LETTER != 'a'\n#error no\n#endif\nkernel void k() {}");
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"-DLETTER='a'"}, {"-D", "LETTER='a'", "-I", "it's"}}) {
    std::vector<std::string> words = options;
    words.push_back(letters);
    const Outcome quoted = compile(words);
    EXPECT_EQ(0, quoted.status) << quoted.errors;
  }
  const Outcome separate = compile({"-cl-nv-arch", "sm_75", "-cl-nv-maxrregcount", "32", "-cl-nv-opt-level",
                                    "2", write("empty.cl", "kernel void k() {}")});
  EXPECT_EQ(0, separate.status) << separate.errors;
}

TEST_F(OfflineCompiler, ShowsPasses) {
  const Outcome run = compile({macro_, "--dump-passes", write("scale.cl", scale_)});
  EXPECT_EQ(0, run.status);
  for (const char* pass :
       {"; after resolve_launch_variant\n", "; after SROAPass\n", "; after InstCombinePass\n"})
    EXPECT_NE(std::string::npos, run.errors.find(pass)) << pass;
  EXPECT_EQ(compile({macro_, path("scale.cl")}).output, run.output);
}

TEST_F(OfflineCompiler, SaysThatItsOutputIsLost) {
  const std::string file = write("scale.cl", scale_);
  for (const std::string where : {">/dev/full", ">&-"}) {
    const Outcome run = compile({macro_, file}, where);
    EXPECT_EQ(1, run.status) << where;
    EXPECT_EQ("clcuda-compile: the output cannot be written\n", run.errors) << where;
    EXPECT_EQ(1, compile({"--help"}, where).status) << where;
  }
}

// As a shell makes them of <(command).
TEST_F(OfflineCompiler, ReadsPipes) {
  const std::string file = write("scale.cl", scale_), pipe = path("pipe");
  ASSERT_EQ(0, mkfifo(pipe.c_str(), 0600));
  std::thread writer([&] { write("pipe", scale_); });
  const Outcome run = compile({macro_, pipe});
  writer.join();
  EXPECT_EQ(0, run.status) << run.errors;
  EXPECT_EQ(compile({macro_, file}).output, run.output);
}

TEST_F(OfflineCompiler, SaysWhatIsWrong) {
  const std::string file = write("scale.cl", scale_), bad = write("bad.cl", "kernel void k() { nothing(); }"),
                    module = write("constants.spv", test::module("constants"));
  ASSERT_EQ(0, compile({"--emit=binary", macro_, "-o", path("damaged.clbin"), file}).status);
  std::filesystem::resize_file(path("damaged.clbin"), std::filesystem::file_size(path("damaged.clbin")) - 1);
  const std::string damaged = path("damaged.clbin");
  std::string bytes = read(damaged);
  bytes[test::random_engine()() % 8] ^= 1;
  const std::string
      other = write("other.clbin", bytes),
      wide = write("wide.cl", std::string("k\0e\0r\0", 6)),
      enqueuing = write("enqueuing.cl",
                        "kernel void k(global int* p) { enqueue_kernel(get_default_queue(), "
                        "CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ *p = 1; }); }"),
      cycle = write("cycle.cl",
                    "typedef struct N { constant struct N* next; } N; extern constant N a, b; "
                    "constant N a = {&b}, b = {&a}; kernel void k(global long* p) { *p = (long)a.next; }");
  const struct {
    std::vector<std::string> words;
    int status;
    const char* message;
  } cases[] = {
      {{}, 2, "no file to compile"},
      {{path("absent.cl")}, 1, "absent.cl cannot be read"},
      {{path("")}, 1, "cannot be read"},
      {{"--mode=binary", "--source=" + path("")}, 1, "cannot be read"},
      {{"/dev/zero"}, 1, "/dev/zero is larger than"},
      {{bad}, 1, "nothing"},
      {{bad, "--emit=spirv"}, 1, "nothing"},
      {{file, "-cl-unknown"}, 1, "-cl-unknown"},
      {{file, macro_, "-o", path("no/such/folder")}, 1, "cannot be written"},
      {{file, "--emit=picture"}, 2, "no kind of output picture"},
      {{file, "--device=90"}, 2, "--device has the form sm_90"},
      {{file, "--device=sm_70"}, 2, "the oldest chip is sm_75"},
      {{file, "--device=sm_9x"}, 2, "--device is not a number"},
      {{file, "--ptx=83"}, 2, "--ptx has the form 8.3"},
      {{file, "--opencl=2.0"}, 2, "--opencl is 3.0 or 3.1"},
      {{file, "--spirv-version=1.7"}, 2, "--spirv-version is from 1.0 to 1.6"},
      {{file, "--specialize=7"}, 2, "--specialize has the form ID=VALUE"},
      {{file, macro_, "--specialize=7=1"}, 1, "no module has a specialization constant 7"},
      {{module, "--specialize=33=1"}, 1, "no module has a specialization constant 33"},
      {{file, macro_, "--emit=spirv", "--specialize=7=1"}, 1, "no module has a specialization constant 7"},
      {{damaged}, 1, "damaged.clbin is a damaged binary"},
      {{other}, 1, "other.clbin is neither text nor SPIR-V, and no undamaged binary"},
      {{other, file, macro_}, 1, "other.clbin is neither text nor SPIR-V, and no undamaged binary"},
      {{other, "--emit=spirv"}, 1, "other.clbin is neither text nor SPIR-V, and no undamaged binary"},
      {{wide}, 1, "wide.cl is neither text nor SPIR-V, and no undamaged binary"},
      {{enqueuing, "-cl-std=CL3.0", "--emit=spirv"},
       1,
       "LLVM's SPIR-V back end cannot translate enqueue_kernel"},
      {{cycle, "--emit=spirv"}, 1, "LLVM's SPIR-V back end cannot translate the program"},
      {{write("queue.cl", "kernel void k(global int* p) { *p = get_default_queue() == CLK_NULL_QUEUE; }"),
        "-cl-std=CL3.0", "--emit=spirv"},
       1,
       "back end cannot translate the program"},
      {{damaged, file, macro_}, 1, "damaged.clbin is a damaged binary"},
      {{file, "--repeat=0"}, 2, "--repeat is at least 1"},
      {{file, file, "--emit=spirv"}, 2, "made of one file"},
      {{file, "-o"}, 2, "-o wants a value"},
  };
  for (const auto& [words, status, message] : cases) {
    const Outcome run = compile(words);
    EXPECT_EQ(status, run.status) << message;
    EXPECT_NE(std::string::npos, run.errors.find(message)) << message << " is not in: " << run.errors;
    EXPECT_EQ("", run.output);
  }
}

}  // namespace
