#include "core/schedule/problem/modulo_table.h"

#include <bit>
#include <cassert>

namespace convscope::schedule {

bool ModuloTable::can_hold(const Problem& problem, std::int64_t interval) {
  const auto resources = static_cast<std::int64_t>(problem.resources.size());
  return interval <= most_places / (resources > 0 ? resources : 1);
}

ModuloTable::ModuloTable(const Problem& problem, std::int64_t interval)
    : interval_(interval), words_(static_cast<std::size_t>(interval + 64) / 64 + 2) {
  assert(interval > 0 && can_hold(problem, interval));
  const std::size_t places = problem.resources.size() * static_cast<std::size_t>(interval);
  for (const Resource& resource : problem.resources) capacity_.push_back(resource.capacity);
  taken_.assign(places, 0);
  head_.assign(places, -1);
  full_.assign(problem.resources.size() * words_, 0);
  begin_.reserve(problem.operations.size() + 1);
  begin_.push_back(0);
  for (const Operation& operation : problem.operations) {
    add_uses(operation);
    begin_.push_back(uses_.size());
  }
  links_.resize(uses_.size());
}

void ModuloTable::add_uses(const Operation& operation) {
  for (const ResourceUse& use : operation.uses) {
    bool known = false;
    for (std::size_t i = begin_.back(); i < uses_.size() && !known; ++i) {
      known = uses_[i].resource == use.resource && uses_[i].offset == row(use.offset);
      if (known) ++uses_[i].units;
    }
    if (!known) uses_.push_back({use.resource, row(use.offset), 1});
  }
}

bool ModuloTable::fits(int operation, std::int64_t cycle) const {
  const std::int64_t first = row(cycle);
  for (std::size_t i = begin_[at(operation)]; i < begin_[at(operation) + 1]; ++i)
    if (taken_[place_of(uses_[i], first)] + uses_[i].units > capacity_[at(uses_[i].resource)]) return false;
  return true;
}

// Bit k: the place k rows further is full.
std::uint64_t ModuloTable::blocked(const Use& use, std::int64_t row) const {
  std::int64_t from = row + use.offset;
  if (from >= interval_) from -= interval_;
  const std::uint64_t* bits = full_.data() + at(use.resource) * words_ + from / 64;
  const int shift = static_cast<int>(from % 64);
  return shift == 0 ? bits[0] : (bits[0] >> shift) | (bits[1] << (64 - shift));
}

std::int64_t ModuloTable::first_fit(int operation, std::int64_t first, std::int64_t last) const {
  if (last - first >= interval_) last = first + interval_ - 1;
  std::int64_t at_row = row(first);
  for (std::int64_t base = first; base <= last; base += 64) {
    std::uint64_t full = 0;
    for (std::size_t i = begin_[at(operation)]; i < begin_[at(operation) + 1]; ++i) full |= blocked(uses_[i], at_row);
    for (std::uint64_t free = ~full; free != 0; free &= free - 1) {
      const std::int64_t cycle = base + std::countr_zero(free);
      if (cycle > last) break;
      if (fits(operation, cycle)) return cycle;
    }
    at_row = (at_row + 64) % interval_;
  }
  return unplaced;
}

// A row stands wherever reading 64 rows from any other may meet it.
void ModuloTable::mark(const Use& use, std::size_t place) {
  const bool is_full = taken_[place] >= capacity_[at(use.resource)];
  const auto start = static_cast<std::int64_t>(place) - use.resource * interval_;
  for (std::int64_t i = start; i < interval_ + 64; i += interval_) {
    std::uint64_t& word = full_[at(use.resource) * words_ + static_cast<std::size_t>(i / 64)];
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    word = is_full ? word | bit : word & ~bit;
  }
}

void ModuloTable::place(int operation, std::int64_t cycle) {
  const std::int64_t first = row(cycle);
  for (std::size_t i = begin_[at(operation)]; i < begin_[at(operation) + 1]; ++i) {
    const std::size_t place = place_of(uses_[i], first);
    taken_[place] += uses_[i].units;
    links_[i] = {operation, head_[place], -1};
    if (head_[place] >= 0) links_[at(head_[place])].previous = static_cast<int>(i);
    head_[place] = static_cast<int>(i);
    mark(uses_[i], place);
  }
}

void ModuloTable::remove(int operation, std::int64_t cycle) {
  const std::int64_t first = row(cycle);
  for (std::size_t i = begin_[at(operation)]; i < begin_[at(operation) + 1]; ++i) {
    const std::size_t place = place_of(uses_[i], first);
    taken_[place] -= uses_[i].units;
    const Link link = links_[i];
    if (link.next >= 0) links_[at(link.next)].previous = link.previous;
    (link.previous >= 0 ? links_[at(link.previous)].next : head_[place]) = link.next;
    mark(uses_[i], place);
  }
}

}  // namespace convscope::schedule
