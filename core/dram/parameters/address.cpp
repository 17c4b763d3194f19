#include "core/dram/parameters/address.h"

#include <bit>
#include <limits>

namespace convscope::dram {
namespace {

int bits_of(int count) {
  return std::bit_width(static_cast<unsigned>(count)) - 1;
}

}  // namespace

AddressMap::AddressMap(const Organization& o)
    : line_bits_(bits_of(o.line_bytes())),
      interleave_bits_(bits_of(o.interleave_bytes)),
      channel_bits_(bits_of(o.channels)),
      banks_of_group_(o.banks / o.groups) {
  const int bits[] = {bits_of(o.rows), bits_of(o.ranks), bits_of(banks_of_group_), bits_of(o.groups),
                      bits_of(o.row_bytes / o.line_bytes())};
  const auto fields = o.mapping.fields();
  int shift = 0;
  for (std::size_t i = fields.size(); i-- > 0;) {
    const auto field = static_cast<std::size_t>(fields[i]);
    parts_[field] = {shift, (std::uint64_t{1} << bits[field]) - 1};
    shift += bits[field];
  }
}

Place AddressMap::place(std::uint64_t address) const {
  const std::uint64_t low_mask = (std::uint64_t{1} << interleave_bits_) - 1;
  const std::uint64_t channel = (address >> interleave_bits_) & ((std::uint64_t{1} << channel_bits_) - 1);
  const std::uint64_t within =
      (address >> (interleave_bits_ + channel_bits_) << interleave_bits_) | (address & low_mask);
  const std::uint64_t line = within >> line_bits_;
  const auto part = [&](Field field) { return parts_[static_cast<std::size_t>(field)].of(line); };
  Place place;
  place.channel = static_cast<int>(channel);
  place.rank = static_cast<int>(part(Field::rank));
  place.group = static_cast<int>(part(Field::group));
  place.bank = place.group * banks_of_group_ + static_cast<int>(part(Field::bank));
  place.row = static_cast<int>(part(Field::row));
  place.column = static_cast<std::int64_t>(part(Field::column));
  return place;
}

}  // namespace convscope::dram
