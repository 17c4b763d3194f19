#pragma once
// Memory that can go back: pages that a run has written are kept as they were at chosen moments, and shared between
// moments in which they are the same.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace convscope::target {

template <typename Word>
class PagedHistory {
 public:
  using Page = std::vector<Word>;
  using Moment = std::vector<std::shared_ptr<const Page>>;  ///< by page; null: as in the beginning

  explicit PagedHistory(std::vector<Word> words)
      : words_(std::move(words)),
        kept_((words_.size() + page_words - 1) / page_words),
        first_(kept_.size()),
        written_(kept_.size()) {}

  std::span<Word> words() { return words_; }

  /// Before words [first, first + count) are written; `count` at least 1.
  void touch(std::int64_t first, std::int64_t count) {
    const auto last = static_cast<std::size_t>((first + count - 1) / page_words);
    for (auto p = static_cast<std::size_t>(first / page_words); p <= last; ++p) {
      if (written_[p] != 0) continue;
      written_[p] = 1;
      const auto words = page(p);
      if (!first_[p]) first_[p] = std::make_shared<const Page>(words.begin(), words.end());
    }
  }

  Moment moment() {
    for (std::size_t p = 0; p < kept_.size(); ++p) {
      if (written_[p] == 0) continue;
      const auto words = page(p);
      kept_[p] = std::make_shared<const Page>(words.begin(), words.end());
      written_[p] = 0;
    }
    return kept_;
  }

  void restore(const Moment& moment) {
    for (std::size_t p = 0; p < kept_.size(); ++p) {
      if (written_[p] == 0 && kept_[p] == moment[p]) continue;
      const auto& from = moment[p] ? moment[p] : first_[p];
      if (from) std::ranges::copy(*from, page(p).begin());
      kept_[p] = moment[p];
      written_[p] = 0;
    }
  }
  void restart() { restore(Moment(kept_.size())); }

  /// Bytes of a moment beside another that is kept before it; null: none is.
  static std::int64_t bytes(const Moment& moment, const Moment* before) {
    std::int64_t bytes = static_cast<std::int64_t>(moment.size() * sizeof(moment[0]));
    for (std::size_t p = 0; p < moment.size(); ++p)
      if (moment[p] && (before == nullptr || (*before)[p] != moment[p]))
        bytes += static_cast<std::int64_t>(moment[p]->size() * sizeof(Word));
    return bytes;
  }

 private:
  static constexpr std::int64_t page_words = 4096;
  std::span<Word> page(std::size_t number) {
    const std::size_t from = number * page_words;
    return std::span(words_).subspan(from, std::min<std::size_t>(page_words, words_.size() - from));
  }

  std::vector<Word> words_;
  Moment kept_;                        ///< what each page was when it was kept last
  Moment first_;                       ///< of pages that were written, as in the beginning
  std::vector<std::uint8_t> written_;  ///< since then
};

}  // namespace convscope::target
