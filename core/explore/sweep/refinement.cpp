#include "core/explore/sweep/refinement.h"

#include <algorithm>

namespace convscope::explore {
namespace {

// Points of round 0 at most, without a budget that says less.
constexpr std::uint64_t most_coarse = 20'000;
constexpr int rounds_of_cipher = 4;

// The finalizer of splitmix64 (Steele, Lea and Flood, 2014).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

std::uint64_t distance(std::uint64_t radix, int halvings) {
  return std::max<std::uint64_t>(1, (radix - 1) >> std::min(halvings, 62));
}

/// Digits of round 0 for one radix: presets and levels all, axes by three.
std::vector<std::uint64_t> coarse_digits(std::uint64_t radix, bool axis) {
  std::vector<std::uint64_t> digits;
  if (!axis)
    for (std::uint64_t i = 0; i < radix; ++i) digits.push_back(i);
  else
    digits = {0, (radix - 1) / 2, radix - 1};
  digits.erase(std::unique(digits.begin(), digits.end()), digits.end());
  return digits;
}

std::uint64_t coarse_size(const Family& family) {
  std::uint64_t product = 1;
  const auto radices = family.radices();
  for (std::size_t i = 0; i < radices.size(); ++i)
    if (__builtin_mul_overflow(product, coarse_digits(radices[i], i >= 2).size(), &product)) return largest_space;
  return product;
}

}  // namespace

Permutation::Permutation(std::uint64_t size, std::uint64_t seed) : size_(size), seed_(seed) {
  while ((std::uint64_t{1} << (2 * half_bits_)) < size) ++half_bits_;
}

std::uint64_t Permutation::operator()(std::uint64_t index) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  do {
    std::uint64_t left = index >> half_bits_, right = index & mask;
    for (int round = 0; round < rounds_of_cipher; ++round) {
      const std::uint64_t next =
          left ^ (mixed(seed_ ^ mixed(right + (static_cast<std::uint64_t>(round) << 40))) & mask);
      left = right;
      right = next;
    }
    index = (left << half_bits_) | right;
  } while (index >= size_);
  return index;
}

Refinement::Refinement(std::shared_ptr<const Space> space, std::uint64_t budget, std::uint64_t seed)
    : space_(std::move(space)), budget_(budget == 0 ? largest_grid : budget), seed_(seed) {}

std::vector<std::uint64_t> Refinement::next(const Front& front) {
  if (halvings_ == 0) {
    halvings_ = 1;
    return unseen(coarse());
  }
  while (seen_.size() < budget_) {
    std::vector<std::uint64_t> batch = unseen(neighbours(front));
    const bool last = nearest();
    if (!last) ++halvings_;
    if (!batch.empty() || last) return batch;
  }
  return {};
}

bool Refinement::nearest() const {
  for (const Family& family : space_->families)
    for (const Axis& axis : family.axes)
      if (distance(axis.values.size(), halvings_) > 1) return false;
  return true;
}

std::vector<std::uint64_t> Refinement::coarse() const {
  std::uint64_t sum = 0;
  for (const Family& family : space_->families) sum += std::min(coarse_size(family), largest_space);
  const std::uint64_t limit = std::min(most_coarse, std::max<std::uint64_t>(1, budget_ / 2));
  std::vector<std::uint64_t> points;
  if (sum > limit) {
    const std::uint64_t size = space_->size(), drawn = std::min(limit, size);
    const Permutation permutation(size, seed_);
    for (std::uint64_t i = 0; i < drawn; ++i) points.push_back(permutation(i));
    return points;
  }
  for (std::size_t f = 0; f < space_->families.size(); ++f) {
    const auto radices = space_->families[f].radices();
    std::vector<Space::Place> places = {{f, {}}};
    for (std::size_t i = 0; i < radices.size(); ++i) {
      std::vector<Space::Place> longer;
      for (const Space::Place& place : places)
        for (const std::uint64_t digit : coarse_digits(radices[i], i >= 2)) {
          longer.push_back(place);
          longer.back().digits.push_back(digit);
        }
      places = std::move(longer);
    }
    for (const Space::Place& place : places) points.push_back(space_->index(place));
  }
  return points;
}

std::vector<std::uint64_t> Refinement::neighbours(const Front& front) const {
  std::vector<std::uint64_t> points;
  for (const Front::Member& member : front.members()) {
    const Space::Place place = space_->place(member.point);
    const auto radices = space_->families[place.family].radices();
    for (std::size_t i = 0; i < radices.size(); ++i) {
      const std::uint64_t far = distance(radices[i], i < 2 ? 62 : halvings_);
      Space::Place other = place;
      if (place.digits[i] >= far) other.digits[i] = place.digits[i] - far, points.push_back(space_->index(other));
      if (radices[i] - place.digits[i] > far)
        other.digits[i] = place.digits[i] + far, points.push_back(space_->index(other));
    }
  }
  return points;
}

std::vector<std::uint64_t> Refinement::unseen(std::vector<std::uint64_t> points) {
  std::sort(points.begin(), points.end());
  std::vector<std::uint64_t> batch;
  for (const std::uint64_t point : points)
    if (seen_.size() < budget_ && seen_.insert(point).second) batch.push_back(point);
  return batch;
}

}  // namespace convscope::explore
