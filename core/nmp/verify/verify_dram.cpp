#include "core/nmp/verify/verify_dram.h"

#include <algorithm>

#include "core/base/integers.h"

namespace convscope::nmp::verification {
namespace {

TrafficKind kind_of(RegionKind region, bool store) {
  if (region == RegionKind::input) return TrafficKind::input;
  if (region == RegionKind::weights) return TrafficKind::weights;
  if (region == RegionKind::output) return TrafficKind::output;
  if (region == RegionKind::tables) return TrafficKind::tables;
  if (region == RegionKind::maps) return store ? TrafficKind::output : TrafficKind::input;
  return store ? TrafficKind::partial_stores : TrafficKind::partial_loads;
}

}  // namespace

Dram::Dram(const Program& program)
    : program_(program), pages_(static_cast<std::size_t>(divide_up(program.dram_bytes, page_bytes))) {
  for (const ByteRange& range : given_maps(program)) give(range);
}

ByteHistory& Dram::page_at(std::int64_t number) {
  auto& page = pages_[static_cast<std::size_t>(number)];
  if (!page) page = std::make_unique<ByteHistory>(page_bytes);
  return *page;
}

// The network's inputs have been written before everything.
void Dram::give(ByteRange range) {
  while (range.begin < range.end) {
    const std::int64_t number = range.begin / page_bytes, start = number * page_bytes;
    const std::int64_t stop = std::min(range.end, start + page_bytes);
    page_at(number).write(range.begin - start, stop - start, before_everything, {});
    range.begin = stop;
  }
}

void Dram::count(const Region& region, const TransferShape& s, bool store) {
  traffic_[static_cast<std::size_t>(kind_of(region.kind, store))] += s.size();
}

const Region* Dram::region_of(const TransferShape& s, std::uint32_t first_byte) const {
  const std::int64_t end = first_byte + (s.maps - 1) * s.map_pitch + (s.rows - 1) * s.row_pitch + s.row_bytes;
  for (const Region& region : program_.regions)
    if (first_byte >= region.first_byte && end <= region.first_byte + region.bytes) return &region;
  return nullptr;
}

// What is never written is read in any order: nothing to remember.
std::optional<Conflict> Dram::access(const Region& region, const TransferShape& s, std::uint32_t first_byte, bool store,
                                     const Epoch& step, const Clocks& clocks) {
  count(region, s, store);
  std::optional<Conflict> found;
  if (!is_written(region.kind)) return found;
  for (std::int64_t map = 0; map < s.maps; ++map)
    for (std::int64_t row = 0; row < s.rows; ++row) {
      const std::int64_t begin = first_byte + map * s.map_pitch + row * s.row_pitch;
      const auto conflict = access_row(begin, begin + s.row_bytes, store, step, clocks);
      if (!found) found = conflict;
    }
  return found;
}

std::optional<Conflict> Dram::access_row(std::int64_t begin, std::int64_t end, bool store, const Epoch& step,
                                         const Clocks& clocks) {
  std::optional<Conflict> found;
  while (begin < end) {
    const std::int64_t number = begin / page_bytes, start = number * page_bytes;
    const std::int64_t stop = std::min(end, start + page_bytes);
    ByteHistory& page = page_at(number);
    auto conflict = store ? page.write(begin - start, stop - start, step, clocks)
                          : page.read(begin - start, stop - start, step, clocks);
    if (conflict) conflict->byte += start;
    if (!found) found = conflict;
    begin = stop;
  }
  return found;
}

std::optional<std::int64_t> Dram::missing(const ProgramLayer& layer) const {
  const MapsPlace& place = layer.out;
  for (std::int64_t map = 0; map < place.maps; ++map)
    for (std::int64_t row = 0; row < place.rows; ++row) {
      std::int64_t begin = place.first_byte + map * place.map_pitch + row * place.row_pitch;
      const std::int64_t end = begin + std::int64_t{place.columns} * layer.element_bytes;
      while (begin < end) {
        const std::int64_t number = begin / page_bytes, start = number * page_bytes;
        const std::int64_t stop = std::min(end, start + page_bytes);
        const auto& page = pages_[static_cast<std::size_t>(number)];
        if (!page) return begin;
        if (const auto byte = page->unwritten(begin - start, stop - start)) return start + *byte;
        begin = stop;
      }
    }
  return std::nullopt;
}

}  // namespace convscope::nmp::verification
