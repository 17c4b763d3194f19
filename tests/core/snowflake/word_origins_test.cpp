// Where buffer words come from, against remembering it for each word.

#include "core/snowflake/trace/word_origins.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace convscope::snowflake {
namespace {

TEST(WordOrigins, AreThoseOfTheLoadThatCameLast) {
  std::mt19937_64 random(11);
  std::uniform_int_distribution<std::int64_t> place(0, 63), length(0, 20), source(0, 9999);
  for (int round = 0; round < 40; ++round) {
    WordOrigins origins;
    std::vector<std::int64_t> remembered(90, -1);
    for (int load = 0; load < 30; ++load) {
      const std::int64_t first = place(random), words = length(random), from = source(random);
      origins.loaded(first, words, from);
      for (std::int64_t i = 0; i < words; ++i) remembered[static_cast<std::size_t>(first + i)] = from + i;
      for (std::int64_t word = 0; word < 90; ++word)
        ASSERT_EQ(origins.of(word), remembered[static_cast<std::size_t>(word)]) << word;
    }
  }
}

}  // namespace
}  // namespace convscope::snowflake
