// Generated loads and stores of flyte against the plain ones, on every family: all values, all lanes, buffers that end
// at a page that can't be accessed.

#include "tests/core/cpu/flyte_functions.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "core/cpu/generate/flyte_text.h"
#include "tests/core/cpu/compiled.h"
#include "tests/core/cpu/compiled_arm.h"

namespace convscope::cpu {
namespace {

constexpr std::size_t page_size = 4096;

/// `count` bytes that end where a page begins that can't be accessed.
class GuardedBytes {
 public:
  explicit GuardedBytes(std::size_t count) : size_((count + page_size - 1) / page_size * page_size + page_size) {
    base_ =
        static_cast<unsigned char*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base_ + size_ - page_size, page_size, PROT_NONE);
    data_ = base_ + size_ - page_size - count;
  }
  ~GuardedBytes() { munmap(base_, size_); }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;
  unsigned char* data() const { return data_; }

 private:
  std::size_t size_;
  unsigned char *base_, *data_;
};

/// Bytes behind the last value that loads may read.
int read_behind(const flyte::Storage& storage) {
  return storage.bytes == 1 || storage.bytes == 2 || storage.bytes == 4 ? 0 : flyte_slack;
}

template <typename Float>
class OnThisProcessor {
 public:
  OnThisProcessor(void* library, std::size_t number, const FlyteFunction& function)
      : library_(library), number_(number), function_(function) {}

  void run(bool every) {
    loads(every);
    stores("store", 0);
    stores("overwrite", flyte_slack);
    neighbours();
  }

 private:
  using Load = void (*)(const unsigned char*, Float*, long);
  using Store = void (*)(const Float*, unsigned char*, long);

  template <typename Pointer>
  Pointer find(const char* name) const {
    return reinterpret_cast<Pointer>(dlsym(library_, fmt::format("{}_{}", name, number_).c_str()));
  }

  void loads(bool every) {
    const std::vector<std::byte> bytes = stored_numbers(function_, every, 1);
    const GuardedBytes from(bytes.size() + static_cast<std::size_t>(read_behind(function_.storage)));
    std::memcpy(from.data(), bytes.data(), bytes.size());
    const std::vector<Float> expected = decoded_as<Float>(bytes, function_.storage);
    std::vector<Float> found(expected.size());
    find<Load>("load")(from.data(), found.data(), static_cast<long>(found.size()));
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(Float)), 0) << told(function_);
  }

  void stores(const char* how, int slack) {
    const std::vector<Float> values = in_all_lanes(numbers<Float>(function_.storage.bytes, 1), function_.lanes);
    const std::size_t count =
        values.size() / static_cast<std::size_t>(function_.lanes) * static_cast<std::size_t>(function_.lanes);
    const std::span<const Float> used(values.data(), count);
    const std::vector<std::byte> expected = flyte::encoded(used, function_.storage);
    const GuardedBytes to(expected.size() + static_cast<std::size_t>(slack));
    find<Store>(how)(used.data(), to.data(), static_cast<long>(count));
    EXPECT_EQ(std::memcmp(to.data(), expected.data(), expected.size()), 0) << told(function_) << " " << how;
  }

  /// One vector amid others.
  void neighbours() {
    const auto bytes = static_cast<std::size_t>(function_.storage.bytes * function_.lanes);
    std::vector<unsigned char> all(3 * bytes, 0xa5);
    const std::vector<Float> values(static_cast<std::size_t>(function_.lanes), Float{1.5});
    find<Store>("store")(values.data(), all.data() + bytes, function_.lanes);
    for (std::size_t i = 0; i < bytes; ++i)
      ASSERT_TRUE(all[i] == 0xa5 && all[2 * bytes + i] == 0xa5) << told(function_) << " byte " << i;
  }

  void* library_;
  std::size_t number_;
  FlyteFunction function_;
};

void compile_and_run(Family family, const std::string& compiler) {
  const std::vector<FlyteFunction> functions = flyte_functions(family);
  const std::string folder = test_folder();
  std::ofstream(folder + "/all.cpp") << flyte_source(functions, family);
  const std::string command = fmt::format(
      "{0} -std=c++17 -O1 -fPIC -shared -Wall -Wno-psabi -Wno-unused-function -Werror {1} {2}/all.cpp -o "
      "{2}/all.so",
      compiler, traits(family).flags, folder);
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  void* library = dlopen((folder + "/all.so").c_str(), RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  const bool full = std::getenv("CONVSCOPE_FULL") != nullptr;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const bool every = full || (functions[i].lanes == traits(family).lanes && compiler == "g++");
    if (functions[i].storage.whole == 4)
      OnThisProcessor<float>(library, i, functions[i]).run(every);
    else
      OnThisProcessor<double>(library, i, functions[i]).run(false);
  }
  dlclose(library);
  std::filesystem::remove_all(folder);
}

class FlyteFunctions : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Cpu, FlyteFunctions,
                         testing::Values(Family::scalar, Family::avx2, Family::avx512, Family::avx512vbmi),
                         [](const auto& one) { return std::string(traits(one.param).key); });

TEST_P(FlyteFunctions, EveryValueInEveryLane) {
  if (!runnable(GetParam())) GTEST_SKIP() << "this processor doesn't run it";
  compile_and_run(GetParam(), "g++");
}

TEST_P(FlyteFunctions, EveryValueInEveryLaneByClang) {
  if (!runnable(GetParam())) GTEST_SKIP() << "this processor doesn't run it";
  if (std::system("which clang++-14 > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no Clang";
  compile_and_run(GetParam(), "clang++-14");
}

/// Bytes that end at a page that can't be accessed, too; numbers and bytes come and go through standard streams.
constexpr const char* arm_memory = R"(
#ifdef __aarch64__
static long call_of_six(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 asm("x8") = number, x0 asm("x0") = a, x1 asm("x1") = b, x2 asm("x2") = c, x3 asm("x3") = d,
                x4 asm("x4") = e, x5 asm("x5") = f;
  asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
enum { map_call = 222, protect_call = 226 };
#else
static long call_of_six(long number, long a, long b, long c, long d, long e, long f) {
  register long r7 asm("r7") = number, r0 asm("r0") = a, r1 asm("r1") = b, r2 asm("r2") = c, r3 asm("r3") = d,
                r4 asm("r4") = e, r5 asm("r5") = f;
  asm volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5) : "memory");
  return r0;
}
enum { map_call = 192, protect_call = 125 };
#endif
static unsigned char* end_of_memory(long bytes) {
  unsigned char* begin = (unsigned char*)call_of_six(map_call, 0, bytes + 65536, 3, 0x22, -1, 0);
  call(protect_call, (long)(begin + bytes), 65536, 0);
  return begin + bytes;
}
static float staging[1 << 21] __attribute__((aligned(64))), values[1 << 21] __attribute__((aligned(64)));
template <typename Number>
static void try_all(void (*load)(const unsigned char*, Number*, long), void (*store)(const Number*, unsigned char*, long),
                    void (*overwrite)(const Number*, unsigned char*, long), unsigned char* end, long bytes, long behind, long slack,
                    long count, long stored_bytes, long stored_count) {
  transfer(read_call, 0, staging, (stored_bytes + 3) / 4);
  memcpy(end - stored_bytes - behind, staging, stored_bytes);
  load(end - stored_bytes - behind, (Number*)values, stored_count);
  transfer(write_call, 1, values, stored_count * (long)sizeof(Number) / 4);
  transfer(read_call, 0, values, count * (long)sizeof(Number) / 4);
  store((Number*)values, end - count * bytes, count);
  memset(staging + count * bytes / 4, 0, 4);
  memcpy(staging, end - count * bytes, count * bytes);
  transfer(write_call, 1, staging, (count * bytes + 3) / 4);
  overwrite((Number*)values, end - count * bytes - slack, count);
  memset(staging + count * bytes / 4, 0, 4);
  memcpy(staging, end - count * bytes - slack, count * bytes);
  transfer(write_call, 1, staging, (count * bytes + 3) / 4);
}
)";

/// What a function is given, and what it must give.
struct Exchange {
  std::vector<std::byte> in, out;
  std::string call;
};

void append_filled(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
  to.resize((to.size() + 3) / 4 * 4);
}

template <typename Float>
Exchange exchange(std::size_t number, const FlyteFunction& function, std::uint32_t step) {
  Exchange made;
  const std::vector<std::byte> stored = stored_numbers(function, false, function.storage.bytes == 1 ? 1 : step);
  append_filled(made.in, stored);
  const std::vector<Float> loaded = decoded_as<Float>(stored, function.storage);
  append_filled(made.out, std::as_bytes(std::span(loaded)));
  std::vector<Float> values = in_all_lanes(numbers<Float>(function.storage.bytes, step), function.lanes);
  values.resize(values.size() / static_cast<std::size_t>(function.lanes) * static_cast<std::size_t>(function.lanes));
  append_filled(made.in, std::as_bytes(std::span(values)));
  for (int i = 0; i < 2; ++i) append_filled(made.out, flyte::encoded(std::span<const Float>(values), function.storage));
  made.call = fmt::format(
      "  try_all<{0}>(s{1}::load_{1}, s{1}::store_{1}, s{1}::overwrite_{1}, end, {2}, {3}, {4}, {5}, {6}, {7});\n",
      sizeof(Float) == 4 ? "float" : "double", number, function.storage.bytes, read_behind(function.storage),
      flyte_slack, values.size(), stored.size(), loaded.size());
  return made;
}

class FlyteFunctionsOfArm : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Cpu, FlyteFunctionsOfArm, testing::Values(Family::neon32, Family::neon64),
                         [](const auto& one) { return std::string(traits(one.param).key); });

TEST_P(FlyteFunctionsOfArm, EveryValueInEveryLane) {
  if (!runnable(GetParam())) GTEST_SKIP() << "there is no emulator, or no compiler";
  const std::uint32_t step = std::getenv("CONVSCOPE_FULL") != nullptr ? 1 : 13;
  const std::vector<FlyteFunction> functions = flyte_functions(GetParam());
  std::string source = flyte_source(functions, GetParam()) + arm_runtime + arm_memory;
  source += "extern \"C\" void _start() {\n  unsigned char* end = end_of_memory(1 << 22);\n";
  const std::string folder = test_folder();
  std::vector<Exchange> all;
  std::ofstream in(folder + "/in", std::ios::binary);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    all.push_back(functions[i].storage.whole == 4 ? exchange<float>(i, functions[i], step)
                                                  : exchange<double>(i, functions[i], step));
    in.write(reinterpret_cast<const char*>(all.back().in.data()), static_cast<std::streamsize>(all.back().in.size()));
    source += all.back().call;
  }
  in.close();
  ASSERT_TRUE(compile_arm(source + "  call(exit_call, 0, 0, 0);\n}\n", GetParam(), folder)) << folder;
  const char* emulator = GetParam() == Family::neon64 ? "qemu-aarch64" : "qemu-arm";
  const int status = std::system(fmt::format("timeout 300 {0} {1}/all < {1}/in > {1}/out", emulator, folder).c_str());
  EXPECT_EQ(status, 0);
  std::ifstream out(folder + "/out", std::ios::binary);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    std::vector<std::byte> found(all[i].out.size());
    out.read(reinterpret_cast<char*>(found.data()), static_cast<std::streamsize>(found.size()));
    ASSERT_TRUE(out) << told(functions[i]);
    EXPECT_TRUE(found == all[i].out) << told(functions[i]);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace convscope::cpu
