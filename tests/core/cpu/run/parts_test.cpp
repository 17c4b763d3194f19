#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "core/cpu/run/double_reference.h"
#include "core/cpu/run/guarded_buffer.h"
#include "core/cpu/run/host.h"
#include "core/cpu/run/host_machine.h"
#include "core/cpu/run/packing.h"
#include "core/cpu/run/peak_loops.h"
#include "core/cpu/run/protocol.h"
#include "core/cpu/run/sampling.h"
#include "core/cpu/run/test_data.h"
#include "programs.h"

namespace convscope::cpu::test {
namespace {

TEST(Packing, BlocksAreInnermostAndFilledUpWithZeros) {
  const Extents extents{{{'M', 3}, {'C', 2}}};
  const float plain[] = {1, 2, 3, 4, 5, 6};
  const Layout layout = *parse_layout("[M/2]C[2]");
  std::vector<float> packed(static_cast<std::size_t>(elements(layout, extents)), -1), back(6);
  pack(plain, layout, extents, packed.data());
  EXPECT_THAT(packed, testing::ElementsAre(1, 3, 2, 4, 5, 0, 6, 0));
  unpack(packed.data(), layout, extents, back.data());
  EXPECT_THAT(back, testing::ElementsAreArray(plain));
}

/// The definition, word for word.
double at(const Problem& p, const TestData& data, int h, int w, int m) {
  double sum = 0;
  const int group = m / p.group_kernels();
  for (int y = 0; y < p.kernel_height; ++y)
    for (int x = 0; x < p.kernel_width; ++x)
      for (int c = 0; c < p.group_channels(); ++c) {
        const int row = h * p.stride_height + y * p.dilation_height - p.pad_top;
        const int column = w * p.stride_width + x * p.dilation_width - p.pad_left;
        if (row < 0 || row >= p.height || column < 0 || column >= p.width) continue;
        const int tap = ((m * p.kernel_height + y) * p.kernel_width + x) * p.group_channels() + c;
        sum +=
            static_cast<double>(data.image()[(row * p.width + column) * p.channels + group * p.group_channels() + c]) *
            static_cast<double>(data.kernel()[tap]);
      }
  return sum;
}

TEST(DoubleReference, IsTheDefinition) {
  Problem strided = small_problem();
  strided.width = 23;
  strided.kernels = 40;
  strided.stride_width = 2;
  strided.dilation_height = 2;
  strided.pad_left = 2;
  strided.pad_bottom = 0;
  Problem grouped = small_problem();
  grouped.channels = grouped.kernels = grouped.groups = 6;
  for (const Problem& p : {small_problem(), strided, grouped}) {
    ASSERT_EQ(fault(p), "");
    Diagnostics diagnostics;
    const auto data = TestData::make(p, 7, {}, diagnostics);
    ASSERT_TRUE(data) << diagnostics.text();
    const double* next = data->expected();
    for (int h = 0; h < p.out_height(); ++h)
      for (int w = 0; w < p.out_width(); ++w)
        for (int m = 0; m < p.kernels; ++m) ASSERT_NEAR(*next++, at(p, *data, h, w, m), 1e-12) << text(p);
  }
}

TEST(DoubleReference, IsCancelled) {
  std::stop_source source;
  source.request_stop();
  Diagnostics diagnostics;
  EXPECT_THROW(TestData::make(small_problem(), 7, source.get_token(), diagnostics), Cancelled);
}

TEST(TestData, InputsDependOnTheSeedAlone) {
  Diagnostics diagnostics;
  const auto a = TestData::make(small_problem(), 1, {}, diagnostics),
             b = TestData::make(small_problem(), 1, {}, diagnostics),
             c = TestData::make(small_problem(), 2, {}, diagnostics);
  const std::size_t bytes = 9 * 7 * 5 * sizeof(float);
  EXPECT_EQ(std::memcmp(a->image(), b->image(), bytes), 0);
  EXPECT_NE(std::memcmp(a->image(), c->image(), bytes), 0);
}

TEST(TestData, DistanceFindsTheWorstAndWhatIsNoNumber) {
  Diagnostics diagnostics;
  const auto data = TestData::make(small_problem(), 1, {}, diagnostics);
  std::vector<float> output(data->expected(), data->expected() + 9 * 7 * 6);
  EXPECT_TRUE(distance(*data, output.data()).within());
  output[100] += 1;
  EXPECT_EQ(distance(*data, output.data()).worst, 100);
  output[200] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(distance(*data, output.data()).worst, 200);
  EXPECT_FALSE(distance(*data, output.data()).within());
}

TEST(TestData, OthersAreSharedMemoryBehindIt) {
  Diagnostics diagnostics;
  const auto data = TestData::make(small_problem(), 1, {}, diagnostics);
  constexpr std::int64_t megabyte = std::int64_t{1} << 20;
  const auto others = TestData::map_others(data->problem(), data->descriptor(), megabyte);
  ASSERT_EQ(others.size(), static_cast<std::size_t>(megabyte));
  EXPECT_TRUE(std::all_of(others.begin(), others.end(), [](std::byte value) { return value == std::byte{0}; }));
  EXPECT_EQ(TestData::map_others(data->problem(), data->descriptor(), 1000 * megabyte).size(),
            static_cast<std::size_t>(64 * megabyte));
  EXPECT_TRUE(TestData::map_others(data->problem(), data->descriptor(), 0).empty());
  EXPECT_TRUE(TestData::map_others(data->problem(), -1, megabyte).empty());
}

TEST(GuardedBuffer, EndsWhereNobodyMayWriteWhateverItsSize) {
  for (const std::size_t floats : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 14, std::size_t{700'000}}) {
    const GuardedBuffer buffer("tensor", floats);
    float* data = buffer.data();
    const std::size_t room = (floats + 15) / 16 * 16;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 64, 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data + room) % 4096, 0U);
    std::fill_n(data, room, 1.0F);
    EXPECT_TRUE(buffer.intact());
    EXPECT_DEATH(*static_cast<volatile float*>(data + room) = 1, "") << floats;
    if (room * sizeof(float) % 4096 == 0) continue;
    data[-1] = 1;
    EXPECT_FALSE(buffer.intact()) << "nothing is forbidden before it, but it is told";
  }
}

TEST(GuardedBuffer, MayBeReadAloneOnceItIsProtected) {
  GuardedBuffer buffer("tensor", 100'000);
  buffer.data()[0] = 2;
  buffer.protect();
  EXPECT_EQ(buffer.data()[0], 2);
  EXPECT_DEATH(*static_cast<volatile float*>(buffer.data()) = 1, "");
}

TEST(Packing, BytesOfFlyteAndOfFloatsComeBack) {
  const Extents extents{{{'M', 3}, {'C', 2}}};
  const float plain[] = {1, 2, 3, 4, 5, 6.5F};
  for (const int bytes_of_each : {2, 3, 4}) {
    Layout layout = *parse_layout("[M/2]C[2]");
    layout.storage.bytes = bytes_of_each;
    std::vector<float> packed(static_cast<std::size_t>(elements(layout, extents)), -1), back(6);
    pack_bytes(plain, layout, extents, packed.data());
    const std::vector<std::byte> expected = packed_bytes(plain, layout, extents);
    EXPECT_EQ(std::memcmp(packed.data(), expected.data(), expected.size()), 0);
    unpack_bytes(packed.data(), layout, extents, back.data());
    EXPECT_THAT(back, testing::ElementsAreArray(plain));
  }
}

TEST(Sampling, LongWorkIsNotGatedAndShortWorkIsRepeated) {
  int executions = 0;
  const auto nap = [](int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
  const Sampling both = sample({[&] { ++executions; }, [&] { nap(5); }}, Family::scalar, {3, 0.05, false});
  EXPECT_GT(executions, 1000);
  EXPECT_FALSE(both.works[1].gated);
  EXPECT_GE(both.works[1].minimum, 5e-3);
  EXPECT_GT(both.works[1].ratio, 100);
  EXPECT_GT(both.peak, 1e8);
  EXPECT_TRUE(sample({}, Family::scalar, {}).works.empty());
  EXPECT_EQ(both.sustained, 0) << "nobody asked for it";
}

TEST(Sampling, TellsWhatMultiplyAddsAloneKeepUp) {
  const auto nap = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
  const Sampling sampling = sample({nap}, Family::scalar, {3, 0.05, false, true});
  EXPECT_GT(sampling.sustained, 1e7);
  EXPECT_LT(sampling.sustained, 1.2 * sampling.peak);
}

TEST(Sampling, ReadsOthersNoFurtherThanItShould) {
  // What lies behind them can't be read.
  GuardedBuffer others("others", 1 << 12);
  const auto bytes = std::as_bytes(std::span(others.data(), 1 << 12));
  for (const std::int64_t asked : {std::int64_t{0}, std::int64_t{1} << 14, std::int64_t{1} << 20}) {
    SamplingOptions options{3, 0.01};
    options.other_bytes = asked;
    int executions = 0;
    EXPECT_EQ(sample({[&] { ++executions; }}, Family::scalar, options, bytes).works.size(), 1U);
    EXPECT_GT(executions, 0);
  }
}

TEST(Calibration, RoofsFallWithTheDistanceFromTheCore) {
  const Host host = this_host();
  EXPECT_FALSE(host.model.empty());
  EXPECT_THAT(host.features, testing::HasSubstr("scalar"));
  const Calibration roofs = calibrate(host, 0.2, {});
  EXPECT_GT(roofs.flops_scalar, 1e8);
  EXPECT_GT(roofs.dram, 1e8);
  EXPECT_GT(roofs.l1, roofs.dram);
  EXPECT_GT(roofs.clock, 3e8);
  const CpuMachine machine = machine_of(host, roofs, Family::scalar);
  EXPECT_EQ(machine.l1.bytes, host.l1);
  EXPECT_EQ(machine.dram.bandwidth, roofs.dram);
  if (roofs.flops_256 > 0) {
    EXPECT_GT(roofs.flops_256, 2 * roofs.flops_scalar);
  }
}

TEST(Protocol, AnswersOfPartsAreNone) {
  RunAnswer answer;
  answer.complete = true;
  answer.programs.resize(2);
  answer.programs[1].message = "caf\xe9";
  const std::string whole = text(answer);
  EXPECT_TRUE(parse_answer(whole));
  for (std::size_t length = 0; length < whole.size(); ++length) EXPECT_FALSE(parse_answer(whole.substr(0, length)));
  EXPECT_FALSE(parse_request(whole));
}

}  // namespace
}  // namespace convscope::cpu::test
