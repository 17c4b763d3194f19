#include "core/snowflake/verify/verify_buffers.h"

#include <algorithm>
#include <bit>

namespace convscope::snowflake::verification {
namespace {

constexpr std::int64_t word_bits = 64;

/// Visits the 64-bit words that hold a stretch, each with the bits of it, until `visit` says false.
template <typename Visit>
bool each_word(std::int64_t first, std::int64_t words, Visit visit) {
  for (std::int64_t at = first, end = first + words; at < end;) {
    const std::int64_t bit = at % word_bits, count = std::min(word_bits - bit, end - at);
    const std::uint64_t ones = ~std::uint64_t{0} >> (word_bits - count) << bit;
    if (!visit(static_cast<std::size_t>(at / word_bits), ones)) return false;
    at += count;
  }
  return true;
}

template <typename Visit>
void each_buffer(BufferMask buffers, Visit visit) {
  for (; buffers != 0; buffers &= buffers - 1) visit(static_cast<std::size_t>(std::countr_zero(buffers)));
}

}  // namespace

void WordSet::add(std::int64_t first, std::int64_t words) {
  each_word(first, words, [&](std::size_t word, std::uint64_t ones) { return bits_[word] |= ones, true; });
}

void WordSet::remove(std::int64_t first, std::int64_t words) {
  each_word(first, words, [&](std::size_t word, std::uint64_t ones) { return bits_[word] &= ~ones, true; });
}

void WordSet::add_common(const std::vector<WordSet>& sets, std::int64_t first, std::int64_t words) {
  each_word(first, words, [&](std::size_t word, std::uint64_t ones) {
    for (const WordSet& set : sets) ones &= set.bits_[word];
    return bits_[word] |= ones, true;
  });
}

bool WordSet::has_all(std::int64_t first, std::int64_t words) const {
  return each_word(first, words, [&](std::size_t word, std::uint64_t ones) { return (bits_[word] & ones) == ones; });
}

std::int64_t WordSet::first_missing(std::int64_t first, std::int64_t words) const {
  std::int64_t word = first;
  while (word < first + words && has(word)) ++word;
  return word;
}

BufferSet::BufferSet(int buffers, std::int64_t words, int region_words, FinishedLoads& finished)
    : words_(words),
      region_words_(region_words),
      all_(~BufferMask{0} >> (64 - buffers)),
      loaded_by_all_(words),
      loaded_(static_cast<std::size_t>(buffers), WordSet(words)),
      finished_(finished) {
  const auto regions = static_cast<std::size_t>((words + region_words - 1) / region_words);
  read_by_all_.assign(regions, -1);
  read_by_one_.assign(static_cast<std::size_t>(buffers), std::vector<std::int64_t>(regions, -1));
  unread_.assign(static_cast<std::size_t>(buffers) * regions, {});
  unread_in_.assign(regions, 0);
}

std::int64_t BufferSet::work_of(BufferMask buffers, std::int64_t words) const {
  return std::popcount(buffers) * (words / word_bits + words / region_words_ + 1);
}

std::int64_t BufferSet::unread_in(BufferMask buffers, std::int64_t first, std::int64_t words) const {
  std::int64_t stretches = 0;
  for (std::size_t r = region(first); r <= region(first + words - 1); ++r)
    each_buffer(unread_in_[r] & buffers,
                [&](std::size_t buffer) { stretches += static_cast<std::int64_t>(unread_[place(buffer, r)].size()); });
  return stretches;
}

void BufferSet::read(BufferMask buffers, std::int64_t first, std::int64_t words, std::int64_t vector) {
  const std::size_t begin = region(first), last = region(first + words - 1);
  for (std::size_t r = begin; r <= last; ++r)
    if ((unread_in_[r] & buffers) != 0) wait(unread_in_[r] & buffers, r, vector);
  if (buffers == all_) {
    for (std::size_t r = begin; r <= last; ++r) read_by_all_[r] = vector;
    return;
  }
  each_buffer(buffers, [&](std::size_t buffer) {
    for (std::size_t r = begin; r <= last; ++r) read_by_one_[buffer][r] = vector;
  });
}

void BufferSet::wait(BufferMask buffers, std::size_t region, std::int64_t vector) {
  each_buffer(buffers, [&](std::size_t buffer) {
    std::vector<Stretch>& unread = unread_[place(buffer, region)];
    for (const Stretch& stretch : unread) finished_.vector_waits(stretch.id, vector);
    unread.clear();
  });
  unread_in_[region] &= ~buffers;
}

bool BufferSet::loaded(BufferMask buffers, std::int64_t first, std::int64_t words) const {
  if (loaded_by_all_.has_all(first, words)) return true;
  bool loaded = true;
  each_buffer(buffers, [&](std::size_t buffer) { loaded = loaded && loaded_[buffer].has_all(first, words); });
  return loaded;
}

std::int64_t BufferSet::first_missing(BufferMask buffers, std::int64_t first, std::int64_t words) const {
  std::int64_t missing = first + words;
  each_buffer(buffers,
              [&](std::size_t buffer) { missing = std::min(missing, loaded_[buffer].first_missing(first, words)); });
  return missing;
}

std::int64_t BufferSet::last_reader_of(std::size_t buffer, std::size_t region) const {
  return std::max(read_by_all_[region], read_by_one_[buffer][region]);
}

std::int64_t BufferSet::last_reader(BufferMask buffers, std::int64_t first, std::int64_t words) const {
  std::int64_t reader = -1;
  each_buffer(buffers, [&](std::size_t buffer) {
    for (std::size_t r = region(first); r <= region(first + words - 1); ++r)
      reader = std::max(reader, last_reader_of(buffer, r));
  });
  return reader;
}

const LoadId* BufferSet::other_load(BufferMask buffers, std::int64_t first, std::int64_t words, const LoadId& id,
                                    std::int64_t before) const {
  const LoadId* found = nullptr;
  for (std::size_t r = region(first); r <= region(first + words - 1); ++r)
    each_buffer(unread_in_[r] & buffers, [&](std::size_t buffer) {
      for (const Stretch& stretch : unread_[place(buffer, r)]) {
        const bool overlaps = stretch.first < first + words && first < stretch.end;
        if (overlaps && stretch.id.unit != id.unit && !finished_.over(stretch.id, before)) found = &stretch.id;
      }
    });
  return found;
}

void BufferSet::load(BufferMask buffers, std::int64_t first, std::int64_t words, const LoadId& id) {
  const std::int64_t end = first + words;
  const bool new_words = !loaded_by_all_.has_all(first, words);
  if (new_words) each_buffer(buffers, [&](std::size_t buffer) { loaded_[buffer].add(first, words); });
  if (new_words) loaded_by_all_.add_common(loaded_, first, words);
  for (std::size_t r = region(first); r <= region(end - 1); ++r) {
    const std::int64_t begin = static_cast<std::int64_t>(r) * region_words_;
    const Stretch stretch{std::max(first, begin), std::min(end, begin + region_words_), id};
    each_buffer(buffers, [&](std::size_t buffer) { replace(unread_[place(buffer, r)], stretch); });
    unread_in_[r] |= buffers;
  }
}

// Words that another unit loaded are either known to be there or reported, so that nobody need remember them.
void BufferSet::replace(std::vector<Stretch>& unread, const Stretch& by) {
  for (std::size_t i = 0; i < unread.size();) {
    const Stretch old = unread[i];
    if (old.end <= by.first || by.end <= old.first) {
      ++i;
      continue;
    }
    unread[i] = unread.back();
    unread.pop_back();
    if (old.first < by.first) unread.push_back({old.first, by.first, old.id});
    if (by.end < old.end) unread.push_back({by.end, old.end, old.id});
  }
  unread.push_back(by);
}

}  // namespace convscope::snowflake::verification
