#pragma once
// Where a byte lies: channel, rank, bank, row.

#include <cstdint>

#include "core/dram/parameters/parameters.h"

namespace convscope::dram {

struct Place {
  int channel = 0, rank = 0;
  int group = 0;  ///< of the rank
  int bank = 0;   ///< of the rank: those of group 0 first
  int row = 0;
  std::int64_t column = 0;  ///< in lines
  bool operator==(const Place&) const = default;
};

/// Addresses beyond the last row start over.
class AddressMap {
 public:
  explicit AddressMap(const Organization& organization);
  Place place(std::uint64_t address) const;
  /// Number of the access that an address lies in; the same for all bytes of a line.
  std::uint64_t line(std::uint64_t address) const { return address >> line_bits_; }

 private:
  struct Part {
    int shift = 0;
    std::uint64_t mask = 0;
    std::uint64_t of(std::uint64_t line) const { return (line >> shift) & mask; }
  };
  int line_bits_ = 0, interleave_bits_ = 0, channel_bits_ = 0, banks_of_group_ = 1;
  Part parts_[5];  // by field
};

}  // namespace convscope::dram
