#include "core/nmp/verify/byte_history.h"

#include <algorithm>

namespace convscope::nmp::verification {

std::size_t ByteHistory::cut(std::int64_t at) {
  if (at >= size_) return segments_.size();
  const auto after = std::upper_bound(segments_.begin(), segments_.end(), at,
                                      [](std::int64_t byte, const Segment& s) { return byte < s.begin; });
  const auto index = static_cast<std::size_t>(after - segments_.begin()) - 1;
  if (segments_[index].begin == at) return index;
  Segment rest = segments_[index];
  rest.begin = at;
  segments_.insert(after, std::move(rest));
  return index + 1;
}

std::optional<Conflict> ByteHistory::read(std::int64_t begin, std::int64_t end, const Epoch& step,
                                          const Clocks& clocks) {
  if (begin >= end) return std::nullopt;
  std::optional<Conflict> found;
  const std::size_t first = cut(begin), last = cut(end);
  for (std::size_t i = first; i < last; ++i) {
    Segment& s = segments_[i];
    if (!found && s.writer == Epoch{}) found = Conflict{Conflict::Kind::never_written, s.begin, {}};
    if (!found && !is_before(s.writer, clocks)) found = Conflict{Conflict::Kind::written, s.begin, s.writer};
    const auto mine = std::find_if(s.readers.begin(), s.readers.end(),
                                   [&](const Epoch& reader) { return reader.agent == step.agent; });
    if (mine != s.readers.end())
      *mine = step;
    else
      s.readers.push_back(step);
  }
  return found;
}

std::optional<Conflict> ByteHistory::write(std::int64_t begin, std::int64_t end, const Epoch& step,
                                           const Clocks& clocks) {
  if (begin >= end) return std::nullopt;
  std::optional<Conflict> found;
  const std::size_t first = cut(begin), last = cut(end);
  for (std::size_t i = first; i < last && !found; ++i) {
    const Segment& s = segments_[i];
    if (!is_before(s.writer, clocks)) found = Conflict{Conflict::Kind::written, s.begin, s.writer};
    for (const Epoch& reader : s.readers)
      if (!found && !is_before(reader, clocks)) found = Conflict{Conflict::Kind::read, s.begin, reader};
  }
  segments_[first].writer = step;
  segments_[first].readers.clear();
  segments_.erase(segments_.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                  segments_.begin() + static_cast<std::ptrdiff_t>(last));
  return found;
}

std::optional<std::int64_t> ByteHistory::unwritten(std::int64_t begin, std::int64_t end) const {
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const std::int64_t next = i + 1 < segments_.size() ? segments_[i + 1].begin : size_;
    if (next > begin && segments_[i].begin < end && segments_[i].writer == Epoch{})
      return std::max(begin, segments_[i].begin);
  }
  return std::nullopt;
}

}  // namespace convscope::nmp::verification
