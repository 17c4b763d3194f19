#include "core/snowflake/parse/regions.h"

#include <algorithm>
#include <numeric>

namespace convscope::snowflake {
namespace {

constexpr std::int64_t boundary = 64;  // words; a burst of the memory's port

std::int64_t rounded(std::int64_t words) {
  return (words + boundary - 1) / boundary * boundary;
}

bool alive_together(const Region& a, const Region& b) {
  return a.first_layer <= b.last_layer && b.first_layer <= a.last_layer;
}

/// The lowest place beside those that are taken, which are sorted by place.
std::int64_t lowest_place(const Region& region, const std::vector<const Region*>& taken) {
  std::int64_t place = 0;
  for (const Region* other : taken) {
    if (other->first_word >= place + region.words) break;
    place = std::max(place, rounded(other->first_word + other->words));
  }
  return place;
}

}  // namespace

std::int64_t place_regions(std::vector<Region>& regions) {
  std::vector<std::size_t> order(regions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return regions[a].words > regions[b].words; });
  std::vector<const Region*> placed;
  std::int64_t words = 0;
  for (const std::size_t index : order) {
    Region& region = regions[index];
    std::vector<const Region*> taken;
    std::copy_if(placed.begin(), placed.end(), std::back_inserter(taken),
                 [&](const Region* other) { return alive_together(region, *other); });
    region.first_word = lowest_place(region, taken);
    words = std::max(words, region.first_word + region.words);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), &region,
                                   [](const Region* a, const Region* b) { return a->first_word < b->first_word; }),
                  &region);
  }
  return words;
}

}  // namespace convscope::snowflake
