#pragma once
// The local buffer and its ports as the simulator sees them (thesis, sections 3.1 and 3.2). Private to the simulator.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/nve/architecture/machine.h"

namespace convscope::nve::simulation {

inline constexpr int largest_word_bytes = 16;

/// BufferWord::source of the n-th word that the host supplied, of pixels; n modulo 2^31.
constexpr int pixels_source(std::int64_t number) {
  return -1 - static_cast<int>(number & std::numeric_limits<int>::max());
}

struct BufferWord {
  std::array<std::uint8_t, largest_word_bytes> bytes{};
  int source = pixels_source(0);  ///< number of the word of coefficients (CoefficientSource), or pixels_source()

  bool holds_pixels() const { return source < 0; }
  int number() const { return -1 - source; }  ///< of pixels: how many words the host had supplied before
};

/// A read port: what was read arrives `read_to_set` cycles later and stays until the next arrival.
class ReadPort {
 public:
  explicit ReadPort(int read_to_set) : latency_(read_to_set) {}

  void issue(std::int64_t cycle, const BufferWord& word) {
    Flight& flight = flights_[slot(cycle + latency_)];
    flight.word = word;
    flight.used = true;
  }
  /// Moves what arrives in this cycle to the output; false if nothing does.
  bool arrive(std::int64_t cycle) {
    Flight& flight = flights_[slot(cycle)];
    if (!flight.used) return false;
    flight.used = false;
    output_ = flight.word;
    loaded_ = true;
    return true;
  }
  bool loaded() const { return loaded_; }
  const BufferWord& output() const { return output_; }

 private:
  struct Flight {
    BufferWord word;
    bool used = false;
  };
  static constexpr std::size_t depth = 16;  ///< more than the longest latency
  static std::size_t slot(std::int64_t cycle) { return static_cast<std::size_t>(cycle) % depth; }

  int latency_;
  std::array<Flight, depth> flights_{};
  BufferWord output_;
  bool loaded_ = false;
};

/// The words. Reads that would see an older or no value are refused, so a write may take effect at once.
class LocalBuffer {
 public:
  explicit LocalBuffer(const Machine& machine)
      : words_(static_cast<std::size_t>(machine.local_buffer_words)),
        visible_(words_.size(), never),
        write_to_read_(machine.write_to_read) {}

  bool contains(std::int64_t address) const {
    return address >= 0 && address < static_cast<std::int64_t>(words_.size());
  }
  BufferWord& write(int address, std::int64_t cycle) {
    visible_[static_cast<std::size_t>(address)] = cycle + write_to_read_;
    return words_[static_cast<std::size_t>(address)];
  }
  bool readable(int address, std::int64_t cycle) const { return visible_[static_cast<std::size_t>(address)] <= cycle; }
  bool written(int address) const { return visible_[static_cast<std::size_t>(address)] != never; }
  std::size_t size() const { return words_.size(); }
  const BufferWord& read(int address) const { return words_[static_cast<std::size_t>(address)]; }

  /// Why a word isn't readable.
  std::string complaint(int address, std::int64_t cycle) const {
    const std::int64_t visible = visible_[static_cast<std::size_t>(address)];
    if (visible == never) return fmt::format("word {} was never written; expected a write before", address);
    return fmt::format("word {} was written in cycle {}, {} cycles before; expected at least {}", address,
                       visible - write_to_read_, cycle - visible + write_to_read_, write_to_read_);
  }

 private:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  std::vector<BufferWord> words_;
  std::vector<std::int64_t> visible_;
  int write_to_read_;
};

}  // namespace convscope::nve::simulation
