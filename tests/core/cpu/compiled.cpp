#include "tests/core/cpu/compiled.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/core/cpu/compiled_arm.h"
#include "tests/core/cpu/reference.h"

namespace convscope::cpu {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t page = 4096;

/// Memory whose end, a multiple of 64 bytes, touches a page that can't be accessed. Left to the child's end.
float* guarded(std::size_t floats) {
  const std::size_t bytes = (4 * floats + 63) / 64 * 64, pages = (bytes + page - 1) / page * page;
  void* all = mmap(nullptr, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char* begin = static_cast<char*>(all);
  mprotect(begin + pages, page, PROT_NONE);
  void* at = begin + pages - bytes;
  return static_cast<float*>(at);
}

float* guarded(const std::vector<float>& values) {
  float* at = guarded(values.size());
  std::memcpy(at, values.data(), 4 * values.size());
  return at;
}

using Convolution = void (*)(const void*, const void*, void*);

void run_one(const Generated& text, Convolution convolution, const Reference& reference, float* shared) {
  const Problem& p = reference.problem;
  const std::size_t count = floats_of(text.output, p.output());
  float* output = guarded(count);
  for (std::size_t i = 0; i < count; ++i) output[i] = std::numeric_limits<float>::quiet_NaN();
  float* image = guarded(pack(reference.image, text.image, p.image()));
  float* kernel = guarded(pack_kernel(reference, text));
  convolution(image, kernel, output);
  convolution(image, kernel, output);  // buffers hold what the first run left
  std::memcpy(shared, output, 4 * count);
}

}  // namespace

std::string test_folder() {
  std::string name = (fs::temp_directory_path() / "convscope-cpu-XXXXXX").string();
  return mkdtemp(name.data());
}

std::vector<float> output_of(const Generated& text, const Problem& problem, const float* values) {
  return {values, values + floats_of(text.output, problem.output())};
}

std::string joined_source(const std::vector<Generated>& texts) {
  std::string source;
  for (std::size_t i = 0; i < texts.size(); ++i)
    source += fmt::format("namespace n{0} {{\n#define convolution convolution_{0}\n{1}\n#undef convolution\n}}\n", i,
                          texts[i].source);
  return source;
}

namespace {

bool compile(const std::vector<Generated>& texts, Family family, const std::string& compiler,
             const std::string& folder) {
  bool openmp = false;
  for (const Generated& text : texts) openmp = openmp || text.openmp;
  std::ofstream(folder + "/all.cpp") << joined_source(texts);
  const std::string command = fmt::format(
      "{} -std=c++17 -O2 -fPIC -shared -Wall -Wno-psabi -Werror -Wno-error=unused-variable -ffp-contract=fast {} {} "
      "{}/all.cpp -o {}/all.so 2> "
      "{}/messages",
      compiler, traits(family).flags, openmp ? "-fopenmp" : "-Wno-unknown-pragmas -Wno-unused-function", folder, folder,
      folder);
  return std::system(command.c_str()) == 0;
}

std::string first_lines(const std::string& file) {
  std::ifstream stream(file);
  std::string text(4000, 0);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

/// In a child; results come through shared memory.
void run_x86(const std::vector<Generated>& texts, const std::vector<Reference>& references, const std::string& folder,
             std::vector<CaseResult>& results) {
  std::size_t floats = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) floats += floats_of(texts[i].output, references[i].problem.output());
  void* memory = mmap(nullptr, 8 + 4 * floats, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* done = static_cast<std::size_t*>(memory);
  auto* values = reinterpret_cast<float*>(done + 1);
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    void* library = dlopen((folder + "/all.so").c_str(), RTLD_NOW);
    float* at = values;
    for (std::size_t i = 0; library != nullptr && i < texts.size(); ++i, ++*done) {
      void* symbol = dlsym(library, fmt::format("convolution_{}", i).c_str());
      run_one(texts[i], reinterpret_cast<Convolution>(symbol), references[i], at);
      at += floats_of(texts[i].output, references[i].problem.output());
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const float* at = values;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i < *done)
      results[i].output = output_of(texts[i], references[i].problem, at);
    else
      results[i].failure = i == *done ? fmt::format("ended with status {}", status) : "not reached";
    at += floats_of(texts[i].output, references[i].problem.output());
  }
  munmap(memory, 8 + 4 * floats);
}

bool arm(Family family) {
  return family == Family::neon32 || family == Family::neon64;
}

}  // namespace

bool runnable(Family family) {
  if (family == Family::avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (family == Family::avx512) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
  if (family == Family::avx512vbmi) return runnable(Family::avx512) && __builtin_cpu_supports("avx512vbmi");
  return family == Family::scalar || arm_tools();
}

std::vector<CaseResult> run_cases(const std::vector<Case>& cases, Family family, const std::string& compiler) {
  std::vector<CaseResult> results(cases.size());
  std::vector<Generated> texts;
  std::vector<Reference> references;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Diagnostics diagnostics;
    auto program = generate(cases[i].problem, cases[i].path, diagnostics);
    if (!program) results[i].failure = diagnostics.text();
    if (!program) return results;
    texts.push_back(std::move(program->text));
    references.push_back(make_reference(cases[i].problem, static_cast<unsigned>(i)));
  }
  const std::string folder = test_folder();
  if (!(arm(family) ? compile_arm(texts, references, family, folder) : compile(texts, family, compiler, folder))) {
    for (CaseResult& result : results) result.failure = first_lines(folder + "/messages");
  } else {
    arm(family) ? run_arm(texts, references, family, folder, results) : run_x86(texts, references, folder, results);
  }
  if (std::getenv("CONVSCOPE_KEEP") == nullptr) fs::remove_all(folder);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    results[i].bound = bound_of(references[i], texts[i]);
    if (results[i].failure.empty())
      results[i].error = largest_error(references[i], texts[i].output, results[i].output.data());
  }
  return results;
}

}  // namespace convscope::cpu
