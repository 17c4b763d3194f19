#pragma once
// Where the words of a buffer come from: the stretches that loads have left in it.

#include <cstdint>
#include <iterator>
#include <map>

namespace convscope::snowflake {

class WordOrigins {
 public:
  /// Words [buffer_word, buffer_word + words) hold those of DRAM from `dram_word` on. Cost: O(log stretches) and those
  /// that are overwritten.
  void loaded(std::int64_t buffer_word, std::int64_t words, std::int64_t dram_word) {
    if (words <= 0) return;
    const std::int64_t end = buffer_word + words;
    split(buffer_word);
    split(end);
    stretches_.erase(stretches_.lower_bound(buffer_word), stretches_.lower_bound(end));
    stretches_[buffer_word] = {end, dram_word};
  }

  /// -1: nothing was loaded into that word.
  std::int64_t of(std::int64_t buffer_word) const {
    const auto behind = stretches_.upper_bound(buffer_word);
    if (behind == stretches_.begin()) return -1;
    const auto& [first, stretch] = *std::prev(behind);
    return buffer_word < stretch.end ? stretch.dram_word + buffer_word - first : -1;
  }

  std::int64_t bytes() const { return static_cast<std::int64_t>(stretches_.size()) * 64; }  // with a node's links

 private:
  struct Stretch {
    std::int64_t end = 0;        ///< of the buffer
    std::int64_t dram_word = 0;  ///< of the first word
  };

  /// No stretch goes on over this word.
  void split(std::int64_t at) {
    const auto behind = stretches_.lower_bound(at);
    if (behind == stretches_.begin()) return;
    auto& [first, stretch] = *std::prev(behind);
    if (stretch.end <= at) return;
    const Stretch rest{stretch.end, stretch.dram_word + at - first};
    stretch.end = at;
    stretches_.emplace_hint(behind, at, rest);
  }

  std::map<std::int64_t, Stretch> stretches_;  ///< by the first word; they never meet
};

}  // namespace convscope::snowflake
