#pragma once
// Weight and image register as the vector unit sees them (thesis, section 3.1). Private to the simulator.
// Operations return nothing, or what is wrong with them.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/nve/architecture/pass_order.h"
#include "core/nve/simulate/buffer_ports.h"

namespace convscope::nve::simulation {

using Complaint = std::optional<std::string>;

/// rw: a queue of coefficients of which vector operations see the head.
class WeightRegister {
 public:
  explicit WeightRegister(const Program& program) : words_(program), per_set_(program.machine.coefficients_per_set()) {}

  Complaint set(const BufferWord& word) {
    Complaint complaint = loss();
    for (int i = 0; i < per_set_; ++i) coefficients_[static_cast<std::size_t>(i)] = coefficient(word, i);
    source_ = word.source;
    place_ = 0;
    used_ = false;
    return complaint;
  }
  Complaint shift() {
    Complaint complaint = loss();
    if (loaded()) ++place_;
    used_ = false;
    return complaint;
  }
  bool loaded() const { return place_ < per_set_; }
  int size() const { return per_set_; }
  /// rw[i]; nothing behind the last coefficient.
  std::optional<std::int16_t> at(int i) const {
    if (place_ + i >= per_set_) return std::nullopt;
    return coefficients_[static_cast<std::size_t>(place_ + i)];
  }
  std::int32_t use() {
    used_ = true;
    return coefficients_[static_cast<std::size_t>(place_)];
  }

 private:
  static std::int16_t coefficient(const BufferWord& word, int place) {
    const auto low = static_cast<std::size_t>(2 * place);
    return static_cast<std::int16_t>(word.bytes[low] | word.bytes[low + 1] << 8);
  }
  /// A coefficient leaves the head; places of a word that hold none may do so unused.
  Complaint loss() const {
    if (!loaded() || used_) return std::nullopt;
    const Coefficient lost = words_.at(source_, place_);
    if (lost.map < 0) return std::nullopt;
    return fmt::format("coefficient {} of map {} leaves rw[0] although no vector operation has used it", lost.ordinal,
                       lost.map);
  }

  CoefficientSource words_;
  int per_set_;
  std::array<std::int16_t, 8> coefficients_{};
  int source_ = 0;
  int place_ = 8;  ///< of the head; beyond the last one: nothing loaded
  bool used_ = false;
};

/// ri: the vector and its extension. Which pixels hold something is kept as bits, so that a check costs few operations.
class ImageRegister {
 public:
  /// A kernel whose rows lie `dilation` rows apart takes so many shifts from one vector that is used to the next.
  ImageRegister(const RegisterLayout& layout, int dilation)
      : layout_(layout),
        dilation_(dilation),
        chunks_((static_cast<std::size_t>(layout.register_pixels()) + 63) / 64),
        set_at_(static_cast<std::size_t>(layout.groups()), -1),
        unused_(set_at_.size(), 0) {
    for (int lane = 0; lane < layout.lanes; ++lane) mark(needed_, lane * layout.stride, 1, true);
  }

  /// Words of a group: `b` is ignored if the group has one only.
  Complaint set(int group, const BufferWord& a, const BufferWord& b) {
    Complaint complaint;
    const auto g = static_cast<std::size_t>(group);
    if (unused_[g]) complaint = fmt::format("group {} is overwritten although no mac has used it", group);
    const int word = group * layout_.words_per_set;
    load(word, a, layout_.pixels_per_word);
    if (takes_b(group)) load(word + 1, b, layout_.pixels_per_word);
    const int base = layout_.base_words * layout_.pixels_per_word;
    mark(valid_, base, layout_.register_pixels() - base, false);  // the extension belongs to the vector before
    set_at_[g] = shifts_;
    unused_[g] = 1;
    fresh_ = true;
    passed_ = dilation_;  // a vector that was set is to be used
    aligned_ = std::all_of(set_at_.begin(), set_at_.end(), [&](std::int64_t at) { return at == set_at_[0]; });
    return complaint;
  }
  Complaint set_shift(const BufferWord& extension) {
    load(layout_.base_words, extension, layout_.extension);
    // After a shift they lie beside their places: no vector that is given out may take them.
    const bool in_place = aligned_ && set_at_[0] == shifts_;
    if (!in_place) mark(valid_, layout_.base_words * layout_.pixels_per_word, layout_.extension, false);
    return shift();
  }
  Complaint shift() {
    Complaint complaint;
    if (fresh_ && passed_ >= dilation_) complaint = "the vector is shifted although no mac has used it";
    ++passed_;
    const auto size = static_cast<std::size_t>(layout_.register_pixels());
    std::memmove(pixels_.data(), pixels_.data() + 1, size - 1);
    for (std::size_t i = 0; i < chunks_; ++i)
      valid_[i] = valid_[i] >> 1 | (i + 1 < chunks_ ? valid_[i + 1] << 63 : std::uint64_t{0});
    ++shifts_;
    if (aligned_) fresh_ = true;
    return complaint;
  }
  /// ri[i]; nothing if it isn't loaded.
  std::optional<std::uint8_t> at(int i) const {
    const auto p = static_cast<std::size_t>(i);
    if ((valid_[p / 64] >> (p % 64) & 1) == 0) return std::nullopt;
    return pixels_[p];
  }
  bool takes_b(int group) const { return layout_.words_per_set == 2 && group * 2 + 1 < layout_.base_words; }
  /// Every lane's pixel is loaded and all groups have been shifted equally often.
  bool complete() const {
    if (!aligned_) return false;
    for (std::size_t i = 0; i < chunks_; ++i)
      if ((valid_[i] & needed_[i]) != needed_[i]) return false;
    return true;
  }
  const std::uint8_t* use() {
    if (fresh_) std::fill(unused_.begin(), unused_.end(), std::uint8_t{0});
    fresh_ = false;
    passed_ = 0;
    return pixels_.data();
  }

 private:
  static constexpr std::size_t capacity = 576;  ///< 64 lanes at stride 8 and an extension, in whole chunks
  using Bits = std::array<std::uint64_t, capacity / 64>;

  /// Fewer than 64 bits that lie in one chunk: words and extension are aligned.
  static void mark(Bits& bits, int first, int count, bool value) {
    const std::uint64_t mask = ((std::uint64_t{1} << count) - 1) << (first % 64);
    std::uint64_t& chunk = bits[static_cast<std::size_t>(first / 64)];
    chunk = value ? chunk | mask : chunk & ~mask;
  }
  void load(int word, const BufferWord& from, int count) {
    const int first = word * layout_.pixels_per_word;
    std::memcpy(pixels_.data() + first, from.bytes.data(), static_cast<std::size_t>(count));
    mark(valid_, first, count, true);
  }

  RegisterLayout layout_;
  int dilation_, passed_ = 0;  // shifts since the last use
  std::size_t chunks_;
  std::array<std::uint8_t, capacity> pixels_{};
  Bits valid_{}, needed_{};
  std::int64_t shifts_ = 0;
  std::vector<std::int64_t> set_at_;  ///< by group: value of shifts_ when it was set; -1: never
  std::vector<std::uint8_t> unused_;  ///< by group: no mac since its set
  bool aligned_ = false;
  bool fresh_ = false;  ///< the vector as it stands was not used by any mac
};

}  // namespace convscope::nve::simulation
