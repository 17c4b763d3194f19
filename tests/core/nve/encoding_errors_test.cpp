// Words that no instruction encodes to are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nve/architecture/instruction.h"

namespace convscope::nve {
namespace {

struct Broken {
  const char* name;
  EncodedWord word;
  const char* complaint;
};

class EncodingError : public testing::TestWithParam<Broken> {};

TEST_P(EncodingError, IsRefused) {
  std::string error;
  EXPECT_FALSE(decode(GetParam().word, Machine{}, &error));
  EXPECT_THAT(error, testing::HasSubstr(GetParam().complaint));
  EXPECT_FALSE(decode(GetParam().word, Machine{})) << "without a message";
}

const Broken broken[] = {
    {"MemoryA", {3, 0}, "MEMA: code 3"},
    {"MemoryB", {3ULL << 21, 0}, "MEMB: code 3"},
    {"ModeWithoutAccess", {1ULL << 2, 0}, "MEMA: mode is 1"},
    {"OffsetWithoutAccess", {5ULL << 3, 0}, "MEMA: offset is 5"},
    {"UpdateWithoutAccess", {9ULL << 12, 0}, "MEMA: update is 9"},
    {"Weight", {3ULL << 42, 0}, "WREG: code 3"},
    {"GroupWithoutSet", {2ULL << 44 | 1ULL << 46, 0}, "IREG: group is 1"},
    {"Vector", {3ULL << 49, 0}, "VMAC: code 3"},
    {"HalfWithoutAct", {1ULL << 52, 0}, "ACT: half is 1"},
    {"LeftoverBit", {1ULL << 53, 0}, "bits from 53"},
    {"LastLeftoverBit", {0, 1ULL << 63}, "bits from 53"},
};

INSTANTIATE_TEST_SUITE_P(EachCode, EncodingError, testing::ValuesIn(broken),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace convscope::nve
