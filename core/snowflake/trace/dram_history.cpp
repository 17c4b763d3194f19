#include "core/snowflake/trace/dram_history.h"

#include <algorithm>

namespace convscope::snowflake {

DramHistory::DramHistory(std::vector<std::int16_t> words)
    : words_(std::move(words)),
      kept_((words_.size() + page_words - 1) / page_words),
      first_(kept_.size()),
      written_(kept_.size()) {}

std::span<std::int16_t> DramHistory::page(std::size_t number) {
  const std::size_t from = number * page_words;
  return std::span(words_).subspan(from, std::min<std::size_t>(page_words, words_.size() - from));
}

void DramHistory::touch(std::int64_t first, std::int64_t count) {
  const auto last = static_cast<std::size_t>((first + count - 1) / page_words);
  for (auto p = static_cast<std::size_t>(first / page_words); p <= last; ++p) {
    if (written_[p] != 0) continue;
    written_[p] = 1;
    const auto words = page(p);
    if (!first_[p]) first_[p] = std::make_shared<const Page>(words.begin(), words.end());
  }
}

auto DramHistory::moment() -> Moment {
  for (std::size_t p = 0; p < kept_.size(); ++p) {
    if (written_[p] == 0) continue;
    const auto words = page(p);
    kept_[p] = std::make_shared<const Page>(words.begin(), words.end());
    written_[p] = 0;
  }
  return kept_;
}

void DramHistory::restore(const Moment& moment) {
  for (std::size_t p = 0; p < kept_.size(); ++p) {
    if (written_[p] == 0 && kept_[p] == moment[p]) continue;
    const auto& from = moment[p] ? moment[p] : first_[p];
    if (from) std::ranges::copy(*from, page(p).begin());
    kept_[p] = moment[p];
    written_[p] = 0;
  }
}

std::int64_t DramHistory::bytes(const Moment& moment, const Moment* before) {
  std::int64_t bytes = static_cast<std::int64_t>(moment.size() * sizeof(moment[0]));
  for (std::size_t p = 0; p < moment.size(); ++p)
    if (moment[p] && (before == nullptr || (*before)[p] != moment[p]))
      bytes += static_cast<std::int64_t>(moment[p]->size() * sizeof(std::int16_t));
  return bytes;
}

}  // namespace convscope::snowflake
