#pragma once
// The window walk: the time of transfers from the rows that they visit. Lines enter the queues of their banks in order,
// as far as the controller looks ahead; of all that wait, what may go first goes, the oldest if several may: a line
// when bus, bank group and row allow it (tCCD_S, tCCD_L, tRCD, turning the bus), a row when its bank (tRP, tRAS, tRC,
// tRTP, tWR) and the activations of its rank (tRRD_S, tRRD_L, tFAW) do. Left out of the simulator (simulate.h): the
// cycle that a command takes, hits that overtake an older row, the exact times at which a queue is looked at. An
// approximation, deterministic.

#include <cstdint>
#include <vector>

#include "core/dram/parameters/address.h"
#include "core/dram/pattern/pattern.h"

namespace convscope::dram {

/// A channel as it is walked over: state that stays from transfer to transfer.
class ChannelWalk {
 public:
  explicit ChannelWalk(const Parameters& parameters);
  /// A line, a cycle after the one before at the earliest.
  void ask(const Place& place, bool write);
  /// No more lines of this transfer: when its loads have arrived, or its stores have been taken.
  std::int64_t finish(bool write);
  /// Nothing is asked before.
  void wait_until(std::int64_t now) { asked_ = asked_ < now ? now : asked_; }
  /// Of its banks, those of the first rank first; -1: none is open.
  int banks() const { return static_cast<int>(banks_.size()); }
  int open_row(int bank) const { return banks_[static_cast<std::size_t>(bank)].open_row; }

 private:
  /// Lines of one row that wait one behind another.
  struct Visit {
    int row = 0, lines = 0;
    bool write = false;
    std::int64_t entered = 0;
  };
  struct Bank {
    int open_row = -1, waiting = 0;
    std::int64_t row_ready = 0, may_close = 0, may_open = 0;
    std::vector<Visit> visits;
    std::size_t first = 0;  ///< of the visits: those before it are done
  };
  struct Group {
    std::int64_t activate = 0, read = 0, write = 0;
  };
  struct Rank {
    std::int64_t activate = 0, read = 0, write = 0, refresh = 0;
    std::int64_t four_ago[4];
    int oldest = 0;
  };
  void enter(const Place& place, bool write);
  void drain_stores();
  bool full() const { return stuck_ >= p_.controller.queue; }
  /// Does what may be done first, unless that is after `limit`.
  bool step(std::int64_t limit);
  std::int64_t open_time(int index) const;
  std::int64_t line_time(int index) const;
  void open(int index, std::int64_t at);
  void serve(int index, std::int64_t at);
  void leave(int index);
  void refresh(std::int64_t now);

  const Parameters p_;
  const int burst_, banks_of_group_;
  std::vector<Bank> banks_;
  std::vector<Group> groups_;
  std::vector<Rank> ranks_;
  std::vector<std::int64_t> arrivals_;  ///< of the last lines that were read, as many as may be in flight, in turn
  std::size_t oldest_arrival_ = 0;
  int unserved_ = 0;           ///< reads
  std::vector<int> active_;    ///< banks with lines that wait, in the order in which they began to
  std::vector<Place> stores_;  ///< taken, not yet given to banks
  std::int64_t asked_ = 0;     ///< when the last line was asked
  std::int64_t now_ = 0;       ///< when the last line went
  std::int64_t arrived_ = 0;   ///< when the last data arrive
  int stuck_ = 0;              ///< lines that wait for room in their bank's queue
};

class Walk {
 public:
  explicit Walk(const Parameters& parameters);
  /// Cycles of a transfer that begins when the one before it is over: until loads have arrived, until stores are taken.
  std::int64_t transfer(const Pattern& pattern);
  const std::vector<ChannelWalk>& channels() const { return channels_; }

 private:
  Parameters p_;
  AddressMap map_;
  std::vector<ChannelWalk> channels_;
  std::int64_t now_ = 0;
};

}  // namespace convscope::dram
