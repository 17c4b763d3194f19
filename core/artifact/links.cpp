#include "core/artifact/links.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace convscope::artifact {
namespace {

template <typename Where>
std::vector<OperationKey> holding(const std::vector<OperationPlace>& places, std::vector<Where> OperationPlace::*wheres,
                                  Where where) {
  std::vector<OperationKey> result;
  for (const OperationPlace& place : places)
    if (std::binary_search((place.*wheres).begin(), (place.*wheres).end(), where)) result.push_back(place.operation);
  return result;
}

}  // namespace

Links::Links(std::vector<OperationPlace> places) : places_(std::move(places)) {
  index_.reserve(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const OperationPlace& place = places_[i];
    assert(std::is_sorted(place.addresses.begin(), place.addresses.end()));
    assert(std::is_sorted(place.words.begin(), place.words.end()));
    index_.emplace(place.operation, i);
  }
}

const OperationPlace* Links::find(OperationKey operation) const {
  const auto found = index_.find(operation);
  return found == index_.end() ? nullptr : &places_[found->second];
}

std::vector<OperationKey> Links::at_address(std::int64_t address) const {
  return holding(places_, &OperationPlace::addresses, address);
}

std::vector<OperationKey> Links::at_word(MemoryWord word) const {
  return holding(places_, &OperationPlace::words, word);
}

}  // namespace convscope::artifact
