#include "core/dram/simulate/channel.h"

#include <algorithm>

namespace convscope::dram {
namespace {

void at_least(std::int64_t& time, std::int64_t value) {
  time = std::max(time, value);
}

}  // namespace

Channel::Channel(const Parameters& parameters, int number, Simulation& result, std::size_t log_limit)
    : p_(parameters),
      number_(number),
      refresh_step_(std::max(1, parameters.timings.tREFI / parameters.organization.ranks)),
      result_(result),
      log_limit_(log_limit),
      banks_(static_cast<std::size_t>(parameters.organization.ranks) *
             static_cast<std::size_t>(parameters.organization.banks)),
      groups_(static_cast<std::size_t>(parameters.organization.ranks) *
              static_cast<std::size_t>(parameters.organization.groups)),
      ranks_(static_cast<std::size_t>(parameters.organization.ranks)) {}

bool Channel::waits(const Place& place, std::uint64_t line, bool write) const {
  const auto same = [&](const Access& a) { return a.line == line && a.write == write; };
  const auto& queue = banks_[static_cast<std::size_t>(place.rank * p_.organization.banks + place.bank)].queue;
  const auto& waiting = write ? writes_ : reads_;
  return std::any_of(waiting.begin(), waiting.end(), same) || std::any_of(queue.begin(), queue.end(), same);
}

bool Channel::add(const Place& place, std::uint64_t line, bool write, std::int64_t now) {
  const bool written = waits(place, line, true);
  if (write || written) at_least(last_answer_, now + 1);
  if (!write && written) answers_.push_back(now + 1);
  if (!write && written) return true;
  if (waits(place, line, write)) return false;
  (write ? writes_ : reads_).push_back({place, line, write});
  if (!write) ++waiting_reads_;
  stuck_ = false;
  return true;
}

void Channel::settle() {
  settling_ = true;
  stuck_ = false;
}

bool Channel::tick(std::int64_t now) {
  if (now > 0 && now % refresh_step_ == 0) {
    refreshes_.push_back(next_refreshed_);
    next_refreshed_ = (next_refreshed_ + 1) % p_.organization.ranks;
    soonest_ = now;
  }
  bool acted = !refreshes_.empty() && refresh(now);
  if (!acted && now >= soonest_) acted = give_command(now);
  return hand_over(now) || acted;
}

std::int64_t Channel::next_event(std::int64_t now) const {
  std::int64_t next = (now / refresh_step_ + 1) * refresh_step_;
  if (!refreshes_.empty()) next = std::min(next, refresh_at_);
  return std::max(now + 1, std::min(next, soonest_));
}

// One command of the refresh that is due first: closing a row of its rank, or, when all are closed, the refresh.
bool Channel::refresh(std::int64_t now) {
  const int rank = refreshes_.front();
  refresh_at_ = never;
  std::int64_t all_idle = 0;
  bool open = false;
  for (int i = 0; i < p_.organization.banks; ++i) {
    const Bank& bank = bank_at(rank, i);
    if (bank.open_row < 0) {
      at_least(all_idle, bank.idle);
      continue;
    }
    open = true;
    if (bank.precharge <= now) {
      precharge(rank * p_.organization.banks + i, now);
      refresh_at_ = now + 1;
      return true;
    }
    refresh_at_ = std::min(refresh_at_, bank.precharge);
  }
  if (open) return false;
  if (all_idle > now) {
    refresh_at_ = all_idle;
    return false;
  }
  for (int i = 0; i < p_.organization.banks; ++i) at_least(bank_at(rank, i).idle, now + cycles(&Timings::tRFC));
  ++result_.refreshes;
  log(now, CommandKind::refresh, rank, 0, 0);
  refreshes_.erase(refreshes_.begin());
  soonest_ = now + 1;
  refresh_at_ = now + 1;
  return true;
}

std::int64_t Channel::activate_time(int bank_index) const {
  const Bank& bank = banks_[static_cast<std::size_t>(bank_index)];
  const Rank& rank = ranks_[static_cast<std::size_t>(rank_of(bank_index))];
  const int banks_of_group = p_.organization.banks / p_.organization.groups;
  const Group& group = groups_[static_cast<std::size_t>(bank_index / banks_of_group)];
  return std::max(
      {bank.idle, bank.activate, group.activate, rank.activate, rank.four_ago[rank.oldest] + cycles(&Timings::tFAW)});
}

// For the oldest access, which waits for another row.
bool Channel::may_close(const Bank& bank) const {
  if (bank.hits >= p_.controller.row_hits) return true;
  return std::none_of(bank.queue.begin(), bank.queue.end(),
                      [&](const Access& a) { return a.place.row == bank.open_row; });
}

// The first access whose next command may be given now; if there is none, when one may be.
Channel::Offer Channel::offer(int bank_index, std::int64_t now) const {
  const Bank& bank = banks_[static_cast<std::size_t>(bank_index)];
  if (bank.open_row < 0) return {activate_time(bank_index), CommandKind::activate, 0};
  Offer soonest;
  if (bank.queue.front().place.row != bank.open_row && may_close(bank)) {
    soonest = {bank.precharge, CommandKind::precharge, 0};
    if (soonest.at <= now) return soonest;
  }
  const Rank& rank = ranks_[static_cast<std::size_t>(rank_of(bank_index))];
  const int banks_of_group = p_.organization.banks / p_.organization.groups;
  const Group& group = groups_[static_cast<std::size_t>(bank_index / banks_of_group)];
  const std::int64_t read = std::max({bank.access, group.read, rank.read});
  const std::int64_t write = std::max({bank.access, group.write, rank.write});
  for (std::size_t i = 0; i < bank.queue.size(); ++i) {
    const Access& access = bank.queue[i];
    if (access.place.row != bank.open_row) continue;
    const std::int64_t at = access.write ? write : read;
    const CommandKind kind = access.write ? CommandKind::write : CommandKind::read;
    if (at <= now) return {at, kind, i};
    if (at < soonest.at) soonest = {at, kind, i};
  }
  return soonest;
}

bool Channel::give_command(std::int64_t now) {
  const int count = static_cast<int>(banks_.size()), refreshed = refreshes_.empty() ? -1 : refreshes_.front();
  soonest_ = never;
  for (int i = 1; i <= count; ++i) {
    const int index = (last_served_ + i) % count;
    if (banks_[static_cast<std::size_t>(index)].queue.empty() || rank_of(index) == refreshed) continue;
    const Offer best = offer(index, now);
    soonest_ = std::min(soonest_, best.at);
    if (best.at > now) continue;
    last_served_ = index;
    give(index, best, now);
    soonest_ = now + 1;
    return true;
  }
  return false;
}

void Channel::give(int bank_index, const Offer& offer, std::int64_t now) {
  const Bank& bank = banks_[static_cast<std::size_t>(bank_index)];
  if (offer.kind == CommandKind::activate)
    activate(bank_index, bank.queue.front().place.row, now);
  else if (offer.kind == CommandKind::precharge)
    precharge(bank_index, now);
  else
    access(bank_index, offer.access, now);
}

void Channel::activate(int bank_index, int row, std::int64_t now) {
  Bank& bank = banks_[static_cast<std::size_t>(bank_index)];
  bank.open_row = row;
  bank.hits = 0;
  bank.activate = now + cycles(&Timings::tRC);
  bank.access = now + cycles(&Timings::tRCD);
  bank.precharge = now + cycles(&Timings::tRAS);
  const int banks_of_group = p_.organization.banks / p_.organization.groups;
  at_least(groups_[static_cast<std::size_t>(bank_index / banks_of_group)].activate, now + cycles(&Timings::tRRD_L));
  Rank& rank = ranks_[static_cast<std::size_t>(rank_of(bank_index))];
  at_least(rank.activate, now + cycles(&Timings::tRRD_S));
  rank.four_ago[rank.oldest] = now;
  rank.oldest = (rank.oldest + 1) % 4;
  ++result_.activates;
  log(now, CommandKind::activate, rank_of(bank_index), bank_index % p_.organization.banks, row);
}

void Channel::precharge(int bank_index, std::int64_t now) {
  Bank& bank = banks_[static_cast<std::size_t>(bank_index)];
  log(now, CommandKind::precharge, rank_of(bank_index), bank_index % p_.organization.banks, bank.open_row);
  bank.open_row = -1;
  at_least(bank.idle, now + cycles(&Timings::tRP));
  ++result_.precharges;
}

void Channel::access(int bank_index, std::size_t index, std::int64_t now) {
  Bank& bank = banks_[static_cast<std::size_t>(bank_index)];
  const Access done = bank.queue[index];
  bank.queue.erase(bank.queue.begin() + static_cast<std::ptrdiff_t>(index));
  --banked_;
  ++bank.hits;
  stuck_ = false;
  log(now, done.write ? CommandKind::write : CommandKind::read, done.place.rank, done.place.bank, done.place.row);
  if (done.write)
    after_write(done, now);
  else
    after_read(done, now);
  const bool wanted =
      std::any_of(bank.queue.begin(), bank.queue.end(), [&](const Access& a) { return a.place.row == bank.open_row; });
  if (p_.controller.page == Page::open || wanted) return;
  // The access closes its row itself, as soon as an open bank may be closed.
  bank.open_row = -1;
  at_least(bank.idle, bank.precharge + cycles(&Timings::tRP));
}

void Channel::after_read(const Access& done, std::int64_t now) {
  const Timings& t = p_.timings;
  const int burst = p_.organization.burst_cycles();
  at_least(group_at(done.place.rank, done.place.group).read, now + std::max(burst, t.tCCD_L));
  at_least(bank_at(done.place.rank, done.place.bank).precharge, now + t.tRTP);
  const int before_write = std::max(burst, t.CL + burst + t.rank_switch - t.CWL);
  for (int rank = 0; rank < p_.organization.ranks; ++rank) {
    Rank& r = ranks_[static_cast<std::size_t>(rank)];
    at_least(r.read, now + (rank == done.place.rank ? std::max(burst, t.tCCD_S) : burst + t.rank_switch));
    at_least(r.write, now + before_write);
  }
  --waiting_reads_;
  ++result_.reads;
  answers_.push_back(now + t.CL + burst);
  at_least(last_answer_, answers_.back());
}

void Channel::after_write(const Access& done, std::int64_t now) {
  const Timings& t = p_.timings;
  const int burst = p_.organization.burst_cycles(), written = t.CWL + burst;
  Group& group = group_at(done.place.rank, done.place.group);
  at_least(group.write, now + std::max(burst, t.tCCD_L));
  at_least(group.read, now + written + t.tWTR_L);
  at_least(bank_at(done.place.rank, done.place.bank).precharge, now + written + t.tWR);
  const int before_other_read = std::max(burst, written + t.rank_switch - t.CL);
  for (int rank = 0; rank < p_.organization.ranks; ++rank) {
    Rank& r = ranks_[static_cast<std::size_t>(rank)];
    const bool same = rank == done.place.rank;
    at_least(r.write, now + (same ? std::max(burst, t.tCCD_S) : burst));
    at_least(r.read, now + (same ? written + t.tWTR_S : before_other_read));
  }
  ++result_.writes;
  at_least(last_written_, now + written);
}

// The oldest access whose bank has room. A write waits while a read of its line does.
bool Channel::hand_over(std::int64_t now) {
  const int waiting = static_cast<int>(writes_.size());
  if (draining_ == 0 && (waiting >= p_.controller.queue || (settling_ && reads_.empty()) ||
                         (waiting > p_.controller.write_batch && banked_ == 0)))
    draining_ = waiting;
  if (stuck_) return false;
  std::vector<Access>& queue = draining_ > 0 ? writes_ : reads_;
  for (auto access = queue.begin(); access != queue.end(); ++access) {
    const int index = access->place.rank * p_.organization.banks + access->place.bank;
    Bank& bank = banks_[static_cast<std::size_t>(index)];
    if (static_cast<int>(bank.queue.size()) >= p_.controller.bank_queue) continue;
    if (access->write && waits(access->place, access->line, false)) {
      draining_ = 0;
      return true;
    }
    if (access->write) --draining_;
    bank.queue.push_back(*access);
    ++banked_;
    queue.erase(access);
    soonest_ = std::min(soonest_, std::max(now + 1, offer(index, now).at));
    return true;
  }
  stuck_ = true;
  return false;
}

void Channel::log(std::int64_t now, CommandKind kind, int rank, int bank, int row) {
  if (result_.log.size() < log_limit_) result_.log.push_back({now, kind, number_, rank, bank, row});
}

}  // namespace convscope::dram
