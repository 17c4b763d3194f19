#include "core/dram/forms/walk.h"

#include <algorithm>
#include <limits>

namespace convscope::dram {
namespace {

constexpr std::int64_t long_ago = std::numeric_limits<std::int64_t>::min() / 2;
constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();

void at_least(std::int64_t& time, std::int64_t value) {
  time = std::max(time, value);
}

}  // namespace

ChannelWalk::ChannelWalk(const Parameters& parameters)
    : p_(parameters),
      burst_(parameters.organization.burst_cycles()),
      banks_of_group_(parameters.organization.banks / parameters.organization.groups),
      banks_(static_cast<std::size_t>(parameters.organization.ranks) *
             static_cast<std::size_t>(parameters.organization.banks)),
      groups_(static_cast<std::size_t>(parameters.organization.ranks) *
              static_cast<std::size_t>(parameters.organization.groups)),
      ranks_(static_cast<std::size_t>(parameters.organization.ranks)) {
  arrivals_.assign(static_cast<std::size_t>(parameters.controller.in_flight), 0);
  // Ranks are refreshed in turn.
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    ranks_[i].refresh = parameters.timings.tREFI / static_cast<int>(ranks_.size()) * static_cast<int>(i + 1);
    for (std::int64_t& time : ranks_[i].four_ago) time = long_ago;
  }
}

void ChannelWalk::ask(const Place& place, bool write) {
  ++asked_;
  if (!write) {
    while (full()) step(forever);
    if (!arrivals_.empty()) {
      while (unserved_ >= p_.controller.in_flight) step(forever);
      // All but the youngest that are served may still be on their way.
      const std::size_t free = arrivals_.size() - static_cast<std::size_t>(unserved_);
      at_least(asked_, arrivals_[(oldest_arrival_ + arrivals_.size() - free) % arrivals_.size()]);
    }
    ++unserved_;
    enter(place, false);
    return;
  }
  while (step(asked_)) {
  }
  const int waiting = static_cast<int>(stores_.size());
  if (waiting >= p_.controller.queue || (waiting > p_.controller.write_batch && active_.empty())) drain_stores();
  stores_.push_back(place);
}

// Stores are given to the banks all at once, one a cycle; each makes room for one that is asked.
void ChannelWalk::drain_stores() {
  for (const Place& place : stores_) {
    while (full()) step(forever);
    enter(place, true);
  }
  stores_.clear();
}

void ChannelWalk::enter(const Place& place, bool write) {
  const int index = place.rank * p_.organization.banks + place.bank;
  Bank& bank = banks_[static_cast<std::size_t>(index)];
  if (bank.waiting == 0) active_.push_back(index);
  if (++bank.waiting > p_.controller.bank_queue) ++stuck_;
  const bool near = bank.waiting <= p_.controller.bank_queue;
  // What waits in the bank's queue is served with others of its row.
  for (std::size_t i = bank.visits.size(); i-- > bank.first;) {
    Visit& visit = bank.visits[i];
    if (visit.row == place.row && visit.write == write) {
      ++visit.lines;
      return;
    }
    if (!near) break;
  }
  bank.visits.push_back({place.row, 1, write, asked_});
}

std::int64_t ChannelWalk::finish(bool write) {
  if (write) return asked_;
  while (!active_.empty()) step(forever);
  if (static_cast<int>(stores_.size()) > p_.controller.write_batch) drain_stores();
  return arrived_;
}

std::int64_t ChannelWalk::open_time(int index) const {
  const Bank& bank = banks_[static_cast<std::size_t>(index)];
  const Rank& rank = ranks_[static_cast<std::size_t>(index / p_.organization.banks)];
  const Group& group = groups_[static_cast<std::size_t>(index / banks_of_group_)];
  const std::int64_t entered = bank.visits[bank.first].entered;
  const std::int64_t closed = bank.open_row < 0 ? entered : std::max(bank.may_close, entered) + p_.timings.tRP;
  return std::max({closed, bank.may_open, group.activate, rank.activate, rank.four_ago[rank.oldest] + p_.timings.tFAW});
}

std::int64_t ChannelWalk::line_time(int index) const {
  const Bank& bank = banks_[static_cast<std::size_t>(index)];
  const Rank& rank = ranks_[static_cast<std::size_t>(index / p_.organization.banks)];
  const Group& group = groups_[static_cast<std::size_t>(index / banks_of_group_)];
  const Visit& visit = bank.visits[bank.first];
  const std::int64_t free = visit.write ? std::max(rank.write, group.write) : std::max(rank.read, group.read);
  return std::max({free, bank.row_ready, visit.entered});
}

// What may go first.
bool ChannelWalk::step(std::int64_t limit) {
  int best = -1;
  bool opens = false;
  std::int64_t soonest = forever;
  for (const int index : active_) {
    const Bank& bank = banks_[static_cast<std::size_t>(index)];
    const bool closed = bank.open_row != bank.visits[bank.first].row;
    const std::int64_t at = closed ? open_time(index) : line_time(index);
    if (at >= soonest) continue;
    soonest = at;
    best = index;
    opens = closed;
  }
  if (best < 0 || soonest > limit) return false;
  if (soonest >= ranks_[static_cast<std::size_t>(best / p_.organization.banks)].refresh)
    refresh(soonest);
  else if (opens)
    open(best, soonest);
  else
    serve(best, soonest);
  return true;
}

// Of every rank whose refresh is due: its rows are closed.
void ChannelWalk::refresh(std::int64_t now) {
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    while (now >= ranks_[i].refresh) {
      const std::size_t count = static_cast<std::size_t>(p_.organization.banks);
      std::int64_t begin = ranks_[i].refresh;
      for (std::size_t k = i * count; k < (i + 1) * count; ++k)
        if (banks_[k].open_row >= 0) begin = std::max(begin, banks_[k].may_close + p_.timings.tRP);
      for (std::size_t k = i * count; k < (i + 1) * count; ++k) {
        banks_[k].open_row = -1;
        at_least(banks_[k].may_open, begin + p_.timings.tRFC);
      }
      ranks_[i].refresh += p_.timings.tREFI;
    }
  }
}

void ChannelWalk::open(int index, std::int64_t at) {
  Bank& bank = banks_[static_cast<std::size_t>(index)];
  bank.open_row = bank.visits[bank.first].row;
  bank.row_ready = at + p_.timings.tRCD;
  bank.may_close = at + p_.timings.tRAS;
  bank.may_open = at + p_.timings.tRC;
  at_least(groups_[static_cast<std::size_t>(index / banks_of_group_)].activate, at + p_.timings.tRRD_L);
  Rank& rank = ranks_[static_cast<std::size_t>(index / p_.organization.banks)];
  at_least(rank.activate, at + p_.timings.tRRD_S);
  rank.four_ago[rank.oldest] = at;
  rank.oldest = (rank.oldest + 1) % 4;
}

void ChannelWalk::serve(int index, std::int64_t at) {
  const Timings& t = p_.timings;
  Bank& bank = banks_[static_cast<std::size_t>(index)];
  Group& group = groups_[static_cast<std::size_t>(index / banks_of_group_)];
  const bool write = bank.visits[bank.first].write;
  const std::size_t own = static_cast<std::size_t>(index / p_.organization.banks);
  const int written = t.CWL + burst_;
  now_ = at;
  if (write) {
    at_least(group.write, at + std::max(burst_, t.tCCD_L));
    at_least(group.read, at + written + t.tWTR_L);
    at_least(bank.may_close, at + written + t.tWR);
  } else {
    at_least(group.read, at + std::max(burst_, t.tCCD_L));
    at_least(bank.may_close, at + t.tRTP);
    at_least(arrived_, at + t.CL + burst_);
    --unserved_;
    if (!arrivals_.empty()) {
      arrivals_[oldest_arrival_] = at + t.CL + burst_;
      oldest_arrival_ = (oldest_arrival_ + 1) % arrivals_.size();
    }
  }
  const int same = std::max(burst_, t.tCCD_S);
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    at_least(ranks_[i].read, at + (write ? (i == own ? written + t.tWTR_S : written + t.rank_switch - t.CL)
                                         : (i == own ? same : burst_ + t.rank_switch)));
    at_least(ranks_[i].write, at + (write ? (i == own ? same : burst_) : t.CL + burst_ + t.rank_switch - t.CWL));
  }
  leave(index);
}

void ChannelWalk::leave(int index) {
  Bank& bank = banks_[static_cast<std::size_t>(index)];
  // A line that is asked now finds room only since this one went.
  if (full()) at_least(asked_, now_);
  if (bank.waiting > p_.controller.bank_queue) --stuck_;
  if (--bank.visits[bank.first].lines == 0 && ++bank.first == bank.visits.size()) {
    bank.visits.clear();
    bank.first = 0;
  } else if (bank.first >= 64) {
    bank.visits.erase(bank.visits.begin(), bank.visits.begin() + static_cast<std::ptrdiff_t>(bank.first));
    bank.first = 0;
  }
  if (--bank.waiting > 0) return;
  active_.erase(std::find(active_.begin(), active_.end(), index));
  if (p_.controller.page == Page::open) return;
  bank.may_open = std::max(bank.may_open, bank.may_close + p_.timings.tRP);
  bank.open_row = -1;
}

Walk::Walk(const Parameters& parameters)
    : p_(parameters),
      map_(parameters.organization),
      channels_(static_cast<std::size_t>(parameters.organization.channels), ChannelWalk(parameters)) {}

std::int64_t Walk::transfer(const Pattern& pattern) {
  if (pattern.empty()) return 0;
  for (ChannelWalk& channel : channels_) channel.wait_until(now_);
  for (Lines lines(pattern, p_.organization.line_bytes()); !lines.done(); lines.next()) {
    const Place place = map_.place(lines.address());
    channels_[static_cast<std::size_t>(place.channel)].ask(place, pattern.write);
  }
  std::int64_t end = now_;
  for (ChannelWalk& channel : channels_) end = std::max(end, channel.finish(pattern.write));
  const std::int64_t cycles = end - now_;
  now_ = end;
  return cycles;
}

}  // namespace convscope::dram
