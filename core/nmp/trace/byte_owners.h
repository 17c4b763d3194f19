#pragma once
// Who wrote the bytes of a memory last: the stretches that transfers and computations have left in it.

#include <cstdint>
#include <iterator>
#include <map>

namespace convscope::nmp {

struct Writer {
  int tlt = 0;          ///< position in Program::data, of the core that gave it
  int instruction = 0;  ///< position in Program::code
  std::int64_t cycle = 0;
  bool operator==(const Writer&) const = default;
};

class ByteOwners {
 public:
  struct Stretch {
    std::int64_t end = 0;
    Writer writer;
  };
  using Stretches = std::map<std::int64_t, Stretch>;  ///< by the first byte; they never meet

  /// Bytes [first, first + count). Cost: O(log stretches) and those that are overwritten.
  void written(std::int64_t first, std::int64_t count, const Writer& writer) {
    if (count <= 0) return;
    const std::int64_t end = first + count;
    split(first);
    split(end);
    stretches_.erase(stretches_.lower_bound(first), stretches_.lower_bound(end));
    stretches_[first] = {end, writer};
  }

  /// Null: nobody has written that byte.
  const Writer* of(std::int64_t byte) const {
    const auto behind = stretches_.upper_bound(byte);
    if (behind == stretches_.begin()) return nullptr;
    const Stretch& stretch = std::prev(behind)->second;
    return byte < stretch.end ? &stretch.writer : nullptr;
  }

  const Stretches& stretches() const { return stretches_; }
  std::int64_t bytes() const { return static_cast<std::int64_t>(stretches_.size()) * 80; }  // with a node's links

 private:
  /// No stretch goes on over this byte.
  void split(std::int64_t at) {
    const auto behind = stretches_.lower_bound(at);
    if (behind == stretches_.begin()) return;
    Stretch& stretch = std::prev(behind)->second;
    if (stretch.end <= at) return;
    const Stretch rest = stretch;
    stretch.end = at;
    stretches_.emplace_hint(behind, at, rest);
  }

  Stretches stretches_;
};

}  // namespace convscope::nmp
