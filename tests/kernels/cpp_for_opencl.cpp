// SPDX-License-Identifier: Apache-2.0
// cl_ext_cxx_for_opencl: the language, the OpenCL C library in it, and programs that must be rejected.
#include "support/cpp_for_opencl.h"

namespace {

class CppForOpenCL : public test::CppPrograms {
 protected:
  static constexpr std::size_t kItems = 64, kGroup = 16;

  cl_version version() const {
    cl_version found = 0;
    CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, sizeof found,
                                          &found, nullptr));
    return found;
  }
  // Runs `kernel void k(global int* out, global const int* in)` with a work-item for each element of `in`.
  std::vector<cl_int> run(cl_program program, const std::vector<cl_int>& in,
                          std::size_t group = kGroup) const {
    const test::Kernel kernel = make_kernel(program, "k");
    const test::Buffer from = make_buffer(in), to = make_buffer(std::vector<cl_int>(in.size()));
    const std::size_t items = in.size();
    set_arguments(kernel, to, from);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &group, 0, nullptr, nullptr));
    return contents<cl_int>(to, items);
  }
  std::vector<cl_int> small_values() const {
    std::vector<cl_int> values(kItems);
    for (cl_int& value : values) value = static_cast<cl_int>(test::random_engine()() % 2000) - 1000;
    return values;
  }
  // Each work-item writes whether its checks succeeded.
  void expect_all(const std::string& text, const char* options = "-cl-std=CLC++2021") const {
    const test::Program program = build(text, options);
    EXPECT_EQ(std::vector<cl_int>(kItems, 1), run(program, small_values())) << text;
  }
};

TEST_F(CppForOpenCL, TellsItsVersion) {
  const char* text =
      "kernel void k(global int* out, global const int* in) { out[get_global_id(0)] = "
      "__OPENCL_CPP_VERSION__; }";
  const std::vector<cl_int> in(1);
  const cl_version own = version();
  const auto number =
      static_cast<cl_int>(CL_VERSION_MAJOR(own) * 100 + CL_VERSION_MINOR(own) * 10 + CL_VERSION_PATCH(own));
  EXPECT_EQ(number, run(build(text, "-cl-std=CLC++"), in, 1)[0]);
  EXPECT_EQ(100, run(build(text, "-cl-std=CLC++1.0"), in, 1)[0]);
  EXPECT_EQ(202100, run(build(text, "-cl-std=CLC++2021"), in, 1)[0]);
  // Section 2.2.2.2 of the language: there is no macro with the extension's name, nor OpenCL C's version macro.
  expect_all(R"(
#if defined(cl_ext_cxx_for_opencl) || defined(__OPENCL_C_VERSION__) || !defined(__cplusplus)
#error "the macros are not those of the language"
#endif
kernel void k(global int* out, global const int*) { out[get_global_id(0)] = __CL_CPP_VERSION_2021__ == 202100; })");
  EXPECT_EQ(CL_BUILD_PROGRAM_FAILURE,
            clBuildProgram(create("#ifdef __cplusplus\n#error\n#endif\nkernel void k() { auto f = []{}; }"),
                           1, &device, "-cl-std=CL3.0", nullptr, nullptr));
}

TEST_F(CppForOpenCL, TemplatesAndClasses) {
  const test::Program program = build(R"(
namespace math {
template <typename T> constexpr T square(T x) { return x * x; }
template <typename T, typename... Rest> T sum(T first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) return first; else return first + sum(rest...);
}
template <int n> struct Factorial { static constexpr int value = n * Factorial<n - 1>::value; };
template <> struct Factorial<0> { static constexpr int value = 1; };
}
struct Shape { int scale = 3; int area(int side) const { return scale * math::square(side); } };
class Counted : public Shape {
  int& calls;
 public:
  explicit Counted(int& calls) : calls(calls) {}
  ~Counted() { calls += 100; }
  int operator()(int side) { ++calls; return area(side); }
};
template <typename F> int twice(F f, int x) { return f(x) + f(x + 1); }
enum class Kind : int { even, odd };
Kind kind(int x) { return x & 1 ? Kind::odd : Kind::even; }
int over(int) { return 1; }
int over(float) { return 2; }
int with_default(int a, int b = 7) { return a + b; }
kernel void k(global int* out, global const int* in) {
  const int x = in[get_global_id(0)];
  int calls = 0, result = 0;
  {
    Counted counted(calls);
    result += twice([&](int v) { return counted(v); }, x);
  }
  auto& place = out[get_global_id(0)];
  place = result + calls + math::sum(x, 2, 3) + math::Factorial<5>::value + (kind(x) == Kind::odd ? 5000 : 0) +
          over(1) * 10 + over(1.0f) + with_default(x) + static_cast<int>(sizeof(Shape)) + (nullptr == &place);
})",
                                      "-cl-std=CLC++2021");
  const std::vector<cl_int> in = small_values(), out = run(program, in);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const cl_int x = in[i], shapes = 3 * x * x + 3 * (x + 1) * (x + 1);
    ASSERT_EQ(shapes + 102 + x + 5 + 120 + (x & 1 ? 5000 : 0) + 12 + x + 7 + 4, out[i]) << x;
  }
}

TEST_F(CppForOpenCL, AddressSpaces) {
  expect_all(R"(
global int variable = 3;
constant int table[2] = {5, 6};
struct Seven { int m; constexpr Seven(int v) __constant : m(v) {} };
__constant Seven seven(7);
template <typename T> T read(T& place) { return place; }
int which(__global int*) { return 1; }
int which(__local int*) { return 3; }
int which(__private int*) { return 5; }
template <typename T> struct Plain { typedef T type; };
template <typename T> struct Plain<T&> { typedef T type; };
template <typename T> typename Plain<T>::type&& move(T&& x) { return static_cast<typename Plain<T>::type&&>(x); }
struct Moved { int v; Moved(int v) : v(v) {} Moved(Moved&& other) : v(other.v) { other.v = -1; } };
struct Holder {
  int kept;
  int get() __global { return 1; }
  int get() __local { return 3; }
  int get() { return 0; }
};
global Holder of_program;
kernel void k(global int* out, global const int* in) {
  local int shared; local Holder of_group;
  if (get_local_id(0) == 0) { shared = 4; }
  barrier(CLK_LOCAL_MEM_FENCE);
  int own = in[get_global_id(0)];
  __generic int* any = &own;
  __private int* back = addrspace_cast<__private int*>(any);
  global char* bytes = reinterpret_cast<global char*>(out + get_global_id(0));
  const int& fixed = own;
  const int cleared = const_cast<int&>(fixed);
  bool good = *back == own && which(&shared) == 3 && which(&own) == 5 && which(out) == 1 && *any == cleared &&
              read(own) == own && table[1] == 6 && seven.m == 7 && variable == 3 && shared == 4 &&
              of_program.get() == 1 && of_group.get() == 3;
  Moved first(6), second(move(first));
  good = good && first.v == -1 && second.v == 6;
  bytes[0] = bytes[1] = bytes[2] = bytes[3] = 0;
  out[get_global_id(0)] = good;
})");
}

// Names of builtin functions are mangled in C++ as in C: a function of each family is called.
TEST_F(CppForOpenCL, HasTheLibrary) {
  expect_all(R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
template <typename T> bool near(T a, T b) { return fabs(a - b) <= T(0.001); }
kernel void k(global int* out, global const int* in) {
  const int i = get_global_id(0), l = get_local_id(0);
  local int shared[16]; local atomic_int counter; local float copied[16];
  const float x = 0.01f * i;
  bool good = near(sin(x) * sin(x) + cos(x) * cos(x), 1.0f) && near(native_exp(0.0f), 1.0f) && near(exp(1.0), 2.718281828) &&
              near(pow((half)2, (half)3), (half)8);
  float4 v = convert_float4((int4)(1, 2, 3, 4));
  good = good && dot(v, v) == 30 && length((float2)(3, 4)) == 5 && all(isequal(v.xyzw, v)) && v.s3 == 4 && (v + 1).x == 2;
  good = good && convert_uchar_sat_rte(300.5f) == 255 && as_int(1.0f) == 0x3f800000 && popcount(255u) == 8 && mul_hi(1 << 30, 8) == 2;
  good = good && select(1, 2, 1) == 2 && clamp(5, 1, 3) == 3 && shuffle((int2)(7, 8), (uint2)(1, 0)).x == 8;
  int exponent; float whole;
  good = good && frexp(8.0f, &exponent) == 0.5f && exponent == 4 && modf(2.5f, &whole) == 0.5f && whole == 2;
  good = good && vload4(0, in).y == in[1] && upsample((uchar)1, (uchar)2) == 258;
  if (l == 0) atomic_init(&counter, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add(&counter, 2);
  shared[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  good = good && atomic_load(&counter) == 32 && shared[15 - l] == 15 - l;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
  event_t copy = async_work_group_copy(copied, reinterpret_cast<const global float*>(in), 16, 0);
  wait_group_events(1, &copy);
  good = good && as_int(copied[l]) == in[l];
  good = good && work_group_reduce_add(l) == 120 && work_group_all(1) && sub_group_broadcast(5, 0) == 5;
  good = good && bitselect(0, 15, 5) == 5 && rotate(1u, 31u) == 0x80000000u && get_work_dim() == 1;
  if (i < 0) printf("%d %s\n", i, "never");
  out[i] = good;
})");
}

TEST_F(CppForOpenCL, ImagesAndSamplersAreValues) {
  cl_bool images = CL_FALSE;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, nullptr));
  if (!images) GTEST_SKIP() << "the device has no images";
  const test::Program program = build(R"(
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void k(read_only image2d_t from, write_only image2d_t to) {
  int2 at = {(int)get_global_id(0), (int)get_global_id(1)};
  write_imagei(to, at, read_imagei(from, nearest, at));
})",
                                      "-cl-std=CLC++2021");
  const cl_image_format format{CL_R, CL_SIGNED_INT32};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 8;
  cl_int error = 0;
  std::vector<cl_int> in = small_values(), out(kItems);
  const test::Buffer from = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &desc, in.data(), &error);
  CL_OK(error);
  const test::Buffer to = clCreateImage(context, 0, &format, &desc, nullptr, &error);
  CL_OK(error);
  const test::Kernel kernel = make_kernel(program, "k");
  set_arguments(kernel, from, to);
  const std::size_t size[] = {8, 8, 1}, origin[] = {0, 0, 0};
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, size, nullptr, 0, nullptr, nullptr));
  CL_OK(clEnqueueReadImage(queue, to, CL_TRUE, origin, size, 0, 0, out.data(), 0, nullptr, nullptr));
  EXPECT_EQ(in, out);
}

// Function-scope static objects are constructed once, by whichever work-item is first.
TEST_F(CppForOpenCL, StaticObjectsOfFunctions) {
  const test::Program program = build(R"(
global atomic_int constructed;
struct Once { int value; Once(int v) : value(v) { atomic_fetch_add(&constructed, 1); } };
int once(int v) { static Once object(v); return object.value; }
kernel void k(global int* out, global const int* in) {
  const int value = once(in[get_global_id(0)]);
  out[get_global_id(0)] = value + 100000 * atomic_load(&constructed);
})",
                                      "-cl-std=CLC++2021");
  const std::vector<cl_int> in(kItems, 42);
  EXPECT_EQ(std::vector<cl_int>(kItems, 100042), run(program, in));
  EXPECT_EQ(std::vector<cl_int>(kItems, 100042), run(program, std::vector<cl_int>(kItems, 43)));
}

// As in OpenCL C 2.0 and later, the last work-group may be smaller.
TEST_F(CppForOpenCL, WorkGroupsNeedNotDivideTheRange) {
  const test::Program program = build(
      "kernel void k(global int* out, global const int*) { out[get_global_id(0)] = get_local_size(0); }",
      "-cl-std=CLC++");
  std::vector<cl_int> wanted(20, 16);
  std::fill(wanted.begin() + 16, wanted.end(), 4);
  EXPECT_EQ(wanted, run(program, std::vector<cl_int>(20)));
}

TEST_F(CppForOpenCL, UnitsAreCompiledApartAndLinkedWithC) {
  const test::Program cpp = compiled(R"(
extern "C" int of_c(int);
template <typename T> T of_template(T x) { return x + of_c(x); }
extern "C" int of_cpp(int x) { return of_template(x); })",
                                     "-cl-std=CLC++"),
                      c = compiled(R"(
int of_cpp(int);
int of_c(int x) { return 2 * x; }
kernel void k(global int* out, global const int* in) { out[get_global_id(0)] = of_cpp(in[get_global_id(0)]); })",
                                   "-cl-std=CL3.0");
  const cl_program both[] = {cpp, c};
  cl_int error = 0;
  const test::Program program = clLinkProgram(context, 1, &device, "", 2, both, nullptr, nullptr, &error);
  CL_OK(error);
  const std::vector<cl_int> in = small_values(), out = run(program, in);
  for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(3 * in[i], out[i]);
}

TEST_F(CppForOpenCL, RefusesWhatTheLanguageDoesNotHave) {
  const char* texts[] = {
      "struct V { virtual int f() { return 1; } }; kernel void k(global int* o) { V v; *o = v.f(); }",
      "kernel void k(global int* o) { throw 1; }",
      "kernel void k(global int* o) { try { *o = 1; } catch (...) {} }",
      "kernel void k(global int* o) { int* p = new int; *o = *p; }",
      "kernel void k(global int* o) { thread_local int t = 1; *o = t; }",
      "struct A { int x; }; struct B : A {}; kernel void k(global int* o) { A a; *o = dynamic_cast<B*>(&a) "
      "!= nullptr; }",
      "int f(int n) { return n ? f(n - 1) + 1 : 0; } kernel void k(global int* o) { *o = f(*o); }",
      "int f() { return 1; } kernel void k(global int* o) { int (*p)() = &f; *o = p(); }",
      "kernel void k(global int* o) { local int l = 3; *o = l; }",
      "kernel void k(global int* o) { local int* l = o; *o = *l; }",
      "struct S { ~S(); }; kernel void k(global int* o) { S s; }",
      "template <typename T> kernel void k(global T* o) { *o = 1; }",
      "template <int n> struct D { static constexpr int v = D<n - 1>::v; }; kernel void k(global int* o) { "
      "*o = D<9>::v; }",
      "#include <vector>\nkernel void k(global int* o) { *o = 1; }",
  };
  for (const char* text : texts) {
    const test::Program program = create(text);
    CL_EXPECT(CL_BUILD_PROGRAM_FAILURE,
              clBuildProgram(program, 1, &device, "-cl-std=CLC++", nullptr, nullptr))
        << text;
    EXPECT_NE(info(program, CL_PROGRAM_BUILD_LOG).find("error"), std::string::npos) << text;
  }
}

TEST_F(CppForOpenCL, RefusesVersionsThatItDoesNotHave) {
  for (const char* options : {"-cl-std=CLC++3.0", "-cl-std=clc++", "-cl-std=C++17"})
    CL_EXPECT(CL_INVALID_BUILD_OPTIONS,
              clBuildProgram(create("kernel void k() {}"), 1, &device, options, nullptr, nullptr));
}

// -cl-single-precision-constant does not change the values of constant expressions that are evaluated by the compiler.
TEST_F(CppForOpenCL, SinglePrecisionConstantsInConstantExpressions) {
  expect_all(R"(
constexpr double tenth = 0.1;
constexpr double fifths[] = {0.2, 0.4, 0.6};
struct Pair { double first = 0.7, second; };
constexpr Pair pair = {.second = 0.9};
template <int n> struct Times { static constexpr double value = n * tenth + 0.3; };
constexpr double scaled(double x) { return x * 0.1; }
static_assert(tenth == 0.1f && fifths[1] == 0.4f && pair.first == 0.7f && pair.second == 0.9f);
static_assert(scaled(1.0) == 0.1f && Times<2>::value == 2 * (double)0.1f + 0.3f);
kernel void k(global int* out, global const int*) {
  constexpr double inside = 0.3;
  volatile double third = 0.3f, two = 2.0f, of_two = 0.1f;
  out[get_global_id(0)] = inside == third && Times<2>::value == two * of_two + third && fifths[2] == 0.6f;
})",
             "-cl-std=CLC++2021 -cl-single-precision-constant");
}

}  // namespace
