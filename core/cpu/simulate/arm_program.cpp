#include "core/cpu/simulate/arm_program.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::cpu {
namespace {

constexpr std::int64_t line = 64 / 4;

std::int64_t floats(const Layout& layout, const Extents& extents) {
  return (bytes(layout, extents) + readable_behind(layout) + 3) / 4;
}

std::int64_t whole_lines(std::int64_t floats) {
  return (floats + line - 1) / line * line;
}

std::string element(const Layout& layout) {
  return layout.storage.complete() ? "float" : "unsigned char";
}

}  // namespace

const char* const arm_runtime = R"(
typedef unsigned long size;
extern "C" void* memset(void* to, int value, size count) {
  for (size i = 0; i < count; ++i) ((volatile char*)to)[i] = (char)value;
  return to;
}
extern "C" void* memcpy(void* to, const void* from, size count) {
  for (size i = 0; i < count; ++i) ((volatile char*)to)[i] = ((const char*)from)[i];
  return to;
}
#ifdef __aarch64__
static long call(long number, long a, long b, long c) {
  register long x8 asm("x8") = number, x0 asm("x0") = a, x1 asm("x1") = b, x2 asm("x2") = c;
  asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
}
enum { read_call = 63, write_call = 64, exit_call = 93 };
#else
static long call(long number, long a, long b, long c) {
  register long r7 asm("r7") = number, r0 asm("r0") = a, r1 asm("r1") = b, r2 asm("r2") = c;
  asm volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
  return r0;
}
enum { read_call = 3, write_call = 4, exit_call = 1 };
// 64-bit division and its like aren't needed; unwinding neither.
extern "C" void __aeabi_unwind_cpp_pr0() {}
extern "C" void __aeabi_unwind_cpp_pr1() {}
extern "C" void __aeabi_memcpy(void* to, const void* from, size count) { memcpy(to, from, count); }
extern "C" void __aeabi_memcpy4(void* to, const void* from, size count) { memcpy(to, from, count); }
extern "C" void __aeabi_memclr(void* to, size count) { memset(to, 0, count); }
extern "C" void __aeabi_memclr4(void* to, size count) { memset(to, 0, count); }
extern "C" void __aeabi_memclr8(void* to, size count) { memset(to, 0, count); }
#endif
static void transfer(long number, long file, float* at, long count) {
  char* next = (char*)at;
  for (long left = 4 * count; left > 0;) {
    const long done = call(number, file, (long)next, left);
    if (done <= 0) call(exit_call, 1, 0, 0);
    next += done;
    left -= done;
  }
}
)";

ArmTensors arm_tensors(const Generated& program, const Problem& problem) {
  return {whole_lines(floats(program.image, problem.image())),
          whole_lines(floats(program.kernel, program.kernel_extents(problem))),
          (bytes(program.output, problem.output()) + 3) / 4};
}

std::string arm_program(const Generated& program, const Problem& problem) {
  const ArmTensors tensors = arm_tensors(program, problem);
  return program.source + arm_runtime +
         fmt::format(
             "static float image[{0}] __attribute__((aligned(64))), kernel[{1}] __attribute__((aligned(64))), "
             "output[{2}] __attribute__((aligned(64)));\n"
             "extern \"C\" void _start() {{\n"
             "  transfer(read_call, 0, image, {0});\n  transfer(read_call, 0, kernel, {1});\n"
             "  for (long i = 0; i < {2}; ++i) output[i] = __builtin_nanf(\"\");\n"
             "  convolution((const {3}*)image, (const {4}*)kernel, ({5}*)output);\n"
             "  transfer(write_call, 1, output, {6});\n  call(exit_call, 0, 0, 0);\n}}\n",
             tensors.image, tensors.kernel, whole_lines(tensors.output), element(program.image),
             element(program.kernel), element(program.output), tensors.output);
}

}  // namespace convscope::cpu
