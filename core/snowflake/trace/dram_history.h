#pragma once
// DRAM that can go back: pages that a run has written are kept as they were at chosen moments, and shared between
// moments in which they are the same.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace convscope::snowflake {

class DramHistory {
 public:
  using Page = std::vector<std::int16_t>;
  using Moment = std::vector<std::shared_ptr<const Page>>;  ///< by page; null: as in the beginning

  explicit DramHistory(std::vector<std::int16_t> words);

  std::span<std::int16_t> words() { return words_; }
  /// Before words [first, first + count) are written.
  void touch(std::int64_t first, std::int64_t count);
  Moment moment();
  void restore(const Moment& moment);
  void restart() { restore(Moment(kept_.size())); }
  /// Bytes of a moment beside another that is kept before it; null: none is.
  static std::int64_t bytes(const Moment& moment, const Moment* before);

 private:
  static constexpr std::int64_t page_words = 4096;
  std::span<std::int16_t> page(std::size_t number);

  std::vector<std::int16_t> words_;
  Moment kept_;                        ///< what each page was when it was kept last
  Moment first_;                       ///< of pages that were written, as in the beginning
  std::vector<std::uint8_t> written_;  ///< since then
};

}  // namespace convscope::snowflake
