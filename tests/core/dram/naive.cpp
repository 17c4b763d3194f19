#include "naive.h"

#include <algorithm>
#include <map>

#include "core/dram/parameters/address.h"

namespace convscope::dram {
namespace {

using What = CommandKind;

int group_of(const Parameters& p, int bank) {
  return bank / (p.organization.banks / p.organization.groups);
}

std::int64_t access_gap(const Parameters& p, const Command& a, const Command& b) {
  const Timings& t = p.timings;
  const int burst = p.organization.burst_cycles();
  const bool same_rank = a.rank == b.rank;
  const bool same_group = same_rank && group_of(p, a.bank) == group_of(p, b.bank);
  if (a.kind == What::read && b.kind == What::write) return std::max(burst, t.CL + burst + t.rank_switch - t.CWL);
  if (a.kind == What::write && b.kind == What::read)
    return same_rank ? t.CWL + burst + (same_group ? t.tWTR_L : t.tWTR_S)
                     : std::max(burst, t.CWL + burst + t.rank_switch - t.CL);
  if (!same_rank) return a.kind == What::read ? burst + t.rank_switch : burst;
  return std::max(burst, same_group ? t.tCCD_L : t.tCCD_S);
}

bool is_access(What kind) {
  return kind == What::read || kind == What::write;
}

struct Waiting {
  Place place;
  std::uint64_t line = 0;
  bool write = false;
};

class Naive {
 public:
  Naive(const Parameters& p, const std::vector<Request>& requests, bool settle)
      : p_(p),
        map_(p.organization),
        requests_(requests),
        settle_(settle),
        queues_(static_cast<std::size_t>(p.organization.ranks * p.organization.banks)) {}

  Simulation run() {
    for (; !finished(); ++now_) {
      ask();
      if (now_ > 0 && now_ % (p_.timings.tREFI / p_.organization.ranks) == 0)
        due_.push_back(refreshed_++ % p_.organization.ranks);
      if (!refresh()) serve();
      hand_over();
    }
    result_.cycles = settle_ ? std::max(answer_, written_) : answer_;
    return result_;
  }

 private:
  bool finished() const {
    const bool waiting = std::any_of(queues_.begin(), queues_.end(), [&](const auto& queue) {
      return std::any_of(queue.begin(), queue.end(), [&](const Waiting& w) { return settle_ || !w.write; });
    });
    return next_ == requests_.size() && reads_.empty() && (!settle_ || writes_.empty()) && !waiting;
  }

  bool reads_wait() const {
    if (!reads_.empty()) return true;
    return std::any_of(queues_.begin(), queues_.end(), [](const auto& queue) {
      return std::any_of(queue.begin(), queue.end(), [](const Waiting& w) { return !w.write; });
    });
  }

  bool waits(std::uint64_t line, bool write) const {
    const auto same = [&](const Waiting& w) { return w.line == line && w.write == write; };
    if (std::any_of(reads_.begin(), reads_.end(), same) || std::any_of(writes_.begin(), writes_.end(), same))
      return true;
    return std::any_of(queues_.begin(), queues_.end(),
                       [&](const auto& queue) { return std::any_of(queue.begin(), queue.end(), same); });
  }

  void ask() {
    if (next_ == requests_.size()) return;
    const Request& r = requests_[next_];
    if (r.after_reads && (reads_wait() || answer_ > now_)) return;
    auto& queue = r.write ? writes_ : reads_;
    if (static_cast<int>(queue.size()) >= p_.controller.queue) return;
    const auto answered = std::count_if(answers_.begin(), answers_.end(), [&](std::int64_t at) { return at <= now_; });
    if (!r.write && p_.controller.in_flight > 0 && asked_ - answered >= p_.controller.in_flight) return;
    ++next_;
    const std::uint64_t line = map_.line(r.address);
    const bool from_queue = !r.write && waits(line, true);
    if (r.write || from_queue) answer_ = std::max(answer_, now_ + 1);
    if (from_queue) answers_.push_back(now_ + 1);
    if (from_queue || (!r.write && !waits(line, false))) ++asked_;
    if (!from_queue && !waits(line, r.write)) queue.push_back({map_.place(r.address), line, r.write});
  }

  bool may(const Command& c) const {
    int activates = 0;
    for (auto before = history_.rbegin(); before != history_.rend(); ++before) {
      if (const auto least = gap(p_, *before, c); least > 0 && now_ - before->cycle < least) return false;
      const bool counts = c.kind == What::activate && before->kind == What::activate && before->rank == c.rank;
      if (counts && ++activates == 4 && now_ - before->cycle < p_.timings.tFAW) return false;
    }
    return true;
  }

  Command command(What kind, int rank, int bank, int row) const { return {now_, kind, 0, rank, bank, row}; }
  int open_row(int rank, int bank) const {
    const auto found = open_.find({rank, bank});
    return found == open_.end() ? -1 : found->second;
  }

  void give(const Command& c) {
    history_.push_back(c);
    result_.log.push_back(c);
    if (c.kind == What::activate) ++result_.activates, open_[{c.rank, c.bank}] = c.row, hits_[{c.rank, c.bank}] = 0;
    if (c.kind == What::precharge) ++result_.precharges, open_.erase({c.rank, c.bank});
    if (c.kind == What::refresh) ++result_.refreshes;
  }

  bool refresh() {
    if (due_.empty()) return false;
    const int rank = due_.front();
    bool closed = true;
    for (int bank = 0; bank < p_.organization.banks; ++bank) {
      if (open_row(rank, bank) < 0) continue;
      closed = false;
      const Command close = command(What::precharge, rank, bank, open_row(rank, bank));
      if (!may(close)) continue;
      give(close);
      return true;
    }
    const Command refresh = command(What::refresh, rank, 0, 0);
    if (!closed || !may(refresh)) return false;
    give(refresh);
    due_.erase(due_.begin());
    return true;
  }

  void serve() {
    const int count = static_cast<int>(queues_.size());
    for (int i = 1; i <= count; ++i) {
      const int index = (turn_ + i) % count, rank = index / p_.organization.banks, bank = index % p_.organization.banks;
      if (!due_.empty() && due_.front() == rank) continue;
      auto& queue = queues_[static_cast<std::size_t>(index)];
      for (std::size_t k = 0; k < queue.size(); ++k)
        if (offer(queue, k, rank, bank)) {
          turn_ = index;
          return;
        }
    }
  }

  bool offer(std::vector<Waiting>& queue, std::size_t k, int rank, int bank) {
    const Waiting w = queue[k];
    const int open = open_row(rank, bank);
    if (open < 0) {
      const Command c = command(What::activate, rank, bank, w.place.row);
      if (!may(c)) return false;
      give(c);
      return true;
    }
    if (open != w.place.row) {
      const bool hit = std::any_of(queue.begin(), queue.end(), [&](const Waiting& o) { return o.place.row == open; });
      const Command c = command(What::precharge, rank, bank, open);
      if (k > 0 || (hit && hits_[{rank, bank}] < p_.controller.row_hits) || !may(c)) return false;
      give(c);
      return true;
    }
    const Command c = command(w.write ? What::write : What::read, rank, bank, open);
    if (!may(c)) return false;
    give(c);
    ++hits_[{rank, bank}];
    queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(k));
    const int burst = p_.organization.burst_cycles();
    if (w.write)
      ++result_.writes, written_ = std::max(written_, now_ + p_.timings.CWL + burst);
    else
      ++result_.reads, answers_.push_back(now_ + p_.timings.CL + burst), answer_ = std::max(answer_, answers_.back());
    close_if_unwanted(queue, rank, bank);
    return true;
  }

  // A closed page is precharged by the access itself, as soon as all commands before it allow.
  void close_if_unwanted(const std::vector<Waiting>& queue, int rank, int bank) {
    const int open = open_row(rank, bank);
    const bool wanted = std::any_of(queue.begin(), queue.end(), [&](const Waiting& o) { return o.place.row == open; });
    if (p_.controller.page == Page::open || wanted) return;
    Command close = command(What::precharge, rank, bank, open);
    for (const Command& before : history_)
      if (const auto least = gap(p_, before, close); least > 0)
        close.cycle = std::max(close.cycle, before.cycle + least);
    history_.push_back(close);
    open_.erase({rank, bank});
  }

  void hand_over() {
    const bool none = std::all_of(queues_.begin(), queues_.end(), [](const auto& queue) { return queue.empty(); });
    const int waiting = static_cast<int>(writes_.size());
    const bool last = settle_ && next_ == requests_.size() && reads_.empty();
    if (draining_ == 0 && (waiting >= p_.controller.queue || last || (waiting > p_.controller.write_batch && none)))
      draining_ = waiting;
    auto& from = draining_ > 0 ? writes_ : reads_;
    for (auto w = from.begin(); w != from.end(); ++w) {
      auto& queue = queues_[static_cast<std::size_t>(w->place.rank * p_.organization.banks + w->place.bank)];
      if (static_cast<int>(queue.size()) >= p_.controller.bank_queue) continue;
      if (w->write && waits(w->line, false)) {
        draining_ = 0;
        return;
      }
      if (w->write) --draining_;
      queue.push_back(*w);
      from.erase(w);
      return;
    }
  }

  const Parameters& p_;
  AddressMap map_;
  const std::vector<Request>& requests_;
  bool settle_;
  std::vector<Waiting> reads_, writes_;
  std::vector<std::vector<Waiting>> queues_;
  std::vector<Command> history_;
  std::map<std::pair<int, int>, int> open_, hits_;
  std::vector<int> due_;
  std::size_t next_ = 0;
  std::vector<std::int64_t> answers_;
  std::int64_t now_ = 0, answer_ = 0, written_ = 0, asked_ = 0;
  int refreshed_ = 0, turn_ = 0, draining_ = 0;
  Simulation result_;
};

}  // namespace

std::int64_t gap(const Parameters& p, const Command& a, const Command& b) {
  const Timings& t = p.timings;
  if (is_access(a.kind) && is_access(b.kind)) return access_gap(p, a, b);
  if (a.rank != b.rank) return 0;
  const bool same_bank = a.bank == b.bank;
  if (a.kind == What::refresh) return b.kind == What::activate || b.kind == What::refresh ? t.tRFC : 0;
  if (a.kind == What::activate && b.kind == What::activate) {
    const std::int64_t other = group_of(p, a.bank) == group_of(p, b.bank) ? t.tRRD_L : t.tRRD_S;
    return same_bank ? std::max<std::int64_t>(t.tRC, other) : other;
  }
  if (a.kind == What::precharge && b.kind == What::refresh) return t.tRP;
  if (!same_bank) return 0;
  if (a.kind == What::activate) return b.kind == What::precharge ? t.tRAS : is_access(b.kind) ? t.tRCD : 0;
  if (a.kind == What::precharge) return b.kind == What::activate ? t.tRP : 0;
  if (b.kind != What::precharge) return 0;
  return a.kind == What::read ? t.tRTP : t.CWL + p.organization.burst_cycles() + t.tWR;
}

Simulation simulate_naively(const Parameters& p, const std::vector<Request>& requests, bool settle) {
  return Naive(p, requests, settle).run();
}

}  // namespace convscope::dram
