// Plain steps on stored numbers by rows, against the same steps number by number: the same bytes.

#include "core/cpu/network/rows.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/cpu/network/plain_code.h"
#include "tests/core/cpu/compiled.h"
#include "tests/core/cpu/compiled_arm.h"

namespace convscope::cpu::rows_test {
namespace {

using Kind = ElementOperation::Kind;
using Function = void (*)(const void* const*, void*);

constexpr std::size_t room = 64;  ///< loads may read 16 bytes behind the last number

struct Case {
  Step step;
  PlainCode code;
  bool after_alone = false;
};

Extents extents(int height, int width, int channels) {
  return {{{'H', height}, {'W', width}, {'C', channels}}};
}

std::vector<float> random_values(std::size_t count, unsigned seed) {
  std::minstd_rand random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(static_cast<int>(random() % 4001) - 2000) / 300;
  return values;
}

Step step(StepKind kind, std::vector<ElementOperation> after = {}) {
  Step one;
  one.kind = kind;
  one.after = std::move(after);
  return one;
}

Step pool(StepKind kind, bool count_padding, std::vector<ElementOperation> after = {}) {
  Step one = step(kind, std::move(after));
  one.window = {.kernel_height = 3,
                .kernel_width = 3,
                .stride_height = 2,
                .stride_width = 2,
                .pad_top = 1,
                .pad_left = 1,
                .pad_bottom = 1,
                .pad_right = 1,
                .count_padding = count_padding};
  return one;
}

/// Each kind of step for one number of channels; more than one piece of elements.
std::vector<Case> cases(const Layout& layout, int channels) {
  const Extents all = extents(13, 11, channels), one = extents(1, 1, channels), half = extents(7, 6, channels);
  const ElementOperation relu{Kind::relu}, leaky{Kind::leaky_relu, .1F}, sigmoid{Kind::sigmoid};
  const ElementOperation bias{Kind::add, 0, 0, random_values(static_cast<std::size_t>(channels), 5)};
  const ElementOperation scale{Kind::multiply, 0, 0, {.75F}};
  std::vector<Case> made;
  const auto add = [&](Step what, std::vector<Extents> inputs, Extents output, bool after_alone = false) {
    made.push_back({std::move(what), {"", std::move(inputs), std::move(output), layout}, after_alone});
  };
  add(step(StepKind::add, {relu}), {all, all}, all);
  add(step(StepKind::add, {bias, relu}), {all, all, all}, all);
  add(step(StepKind::subtract), {all, one}, all);
  add(step(StepKind::multiply, {scale}), {all, one}, all);
  add(step(StepKind::divide), {all, extents(1, 1, 1)}, all);
  add(step(StepKind::elements, {scale, sigmoid}), {all}, all);
  add(step(StepKind::elements, {bias, leaky}), {all}, all);
  add(step(StepKind::elements, {bias, scale}), {all}, all, true);
  add(pool(StepKind::max_pool, false, {bias}), {all}, half);
  add(pool(StepKind::average_pool, false), {all}, half);
  add(pool(StepKind::average_pool, true, {relu}), {all}, half);
  add(step(StepKind::concat, {relu}), {extents(13, 11, 3), all}, extents(13, 11, channels + 3));
  return made;
}

std::string source(const std::vector<Case>& all, const flyte::Storage& storage, Family family) {
  std::string text = stored_type(storage, family);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const bool rows : {true, false}) {
      PlainCode code = all[i].code;
      code.name = fmt::format("{}_{}", rows ? "rows" : "numbers", i);
      code.rows = rows;
      text += all[i].after_alone ? after_code(all[i].step, code) : step_code(all[i].step, code);
    }
  return text;
}

class Buffers {
 public:
  explicit Buffers(const Case& one) {
    unsigned seed = 1;
    for (const Extents& input : one.code.inputs) {
      const auto values = random_values(static_cast<std::size_t>(elements(one.code.layout, input)), ++seed);
      const auto encoded = flyte::encoded(std::span<const float>(values), one.code.layout.storage);
      inputs_.emplace_back(encoded.begin(), encoded.end());
      inputs_.back().resize(encoded.size() + room);
    }
    for (const auto& buffer : inputs_) pointers_.push_back(buffer.data());
    for (const ElementOperation& operation : one.step.after)
      if (!operation.values.empty()) pointers_.push_back(operation.values.data());
    bytes_ = static_cast<std::size_t>(elements(one.code.layout, one.code.output) * one.code.layout.storage.bytes);
  }

  /// The output, and what lies behind it.
  std::vector<std::byte> run(void* library, const std::string& name) const {
    std::vector<std::byte> output(bytes_ + room, std::byte{0xa5});
    const auto function = reinterpret_cast<Function>(dlsym(library, name.c_str()));
    if (function == nullptr) return {};
    function(pointers_.data(), output.data());
    return output;
  }

 private:
  std::vector<std::vector<std::byte>> inputs_;
  std::vector<const void*> pointers_;
  std::size_t bytes_ = 0;
};

void expect_alike(const std::vector<Case>& all, const flyte::Storage& storage, Family family) {
  const std::string folder = test_folder();
  std::ofstream(folder + "/all.cpp") << source(all, storage, family);
  const std::string command = fmt::format("g++ -std=c++17 -O1 -fPIC -shared -w {} {}/all.cpp -o {}/all.so",
                                          traits(family).flags, folder, folder);
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  void* library = dlopen((folder + "/all.so").c_str(), RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Buffers buffers(all[i]);
    const auto rows = buffers.run(library, fmt::format("rows_{}", i));
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows, buffers.run(library, fmt::format("numbers_{}", i)))
        << "case " << i << " " << traits(family).key << " " << storage.bytes << " " << text(all[i].code.layout);
    EXPECT_EQ(rows.back(), std::byte{0xa5}) << "written behind the output";
  }
  dlclose(library);
  std::filesystem::remove_all(folder);
}

class Rows : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Cpu, Rows, testing::Values(Family::scalar, Family::avx2, Family::avx512, Family::avx512vbmi),
                         [](const auto& one) { return std::string(traits(one.param).key); });

TEST_P(Rows, GiveTheBytesThatNumberByNumberGives) {
  if (!runnable(GetParam())) GTEST_SKIP() << "this processor doesn't run it";
  for (const flyte::Storage& storage : {flyte::Storage{1}, {2}, {3}, {2, flyte::Rounding::truncated}}) {
    std::vector<Case> all;
    const std::pair<const char*, int> tensors[] = {{"HWC", 1},   {"HWC", 7}, {"HWC", 40},
                                                   {"HWC", 600}, {"CHW", 7}, {"HCW", 7}};
    for (const auto& [order, channels] : tensors) {
      auto some = cases({order, 0, 1, storage}, channels);
      all.insert(all.end(), some.begin(), some.end());
    }
    expect_alike(all, storage, GetParam());
  }
}

TEST(RowBody, IsThereWhereAStepHasRows) {
  const Layout by_pixels{"HWC", 0, 1, {2}}, between{"HCW", 0, 1, {2}};
  for (const Case& one : cases(by_pixels, 40)) EXPECT_TRUE(row_body(one.step, one.code));
  int without = 0;
  for (const Case& one : cases(between, 40)) without += row_body(one.step, one.code) ? 0 : 1;
  EXPECT_EQ(without, 9) << "all but a sum, and operations with one value; channels have no rows";
  EXPECT_FALSE(row_body(step(StepKind::softmax), cases(by_pixels, 8).front().code));
}

}  // namespace
}  // namespace convscope::cpu::rows_test
