#pragma once
// One channel's controller and banks; see simulate.h.

#include <cstdint>
#include <utility>
#include <vector>

#include "core/dram/parameters/address.h"
#include "core/dram/simulate/simulate.h"

namespace convscope::dram {

inline constexpr std::int64_t never = INT64_MAX / 2;

class Channel {
 public:
  Channel(const Parameters& parameters, int number, Simulation& result, std::size_t log_limit);

  bool accepts(bool write) const { return static_cast<int>((write ? writes_ : reads_).size()) < p_.controller.queue; }
  /// Takes a request that it accepts; false if it is a read that is answered with another one.
  bool add(const Place& place, std::uint64_t line, bool write, std::int64_t now);
  /// One cycle; true if a command was given or an access handed to a bank.
  bool tick(std::int64_t now);
  /// The next cycle after `now` at which something may happen without new requests; `never` if there is none.
  std::int64_t next_event(std::int64_t now) const;
  /// Lets all writes that wait be served.
  void settle();

  bool reads_wait() const { return waiting_reads_ > 0; }
  bool idle() const { return waiting_reads_ == 0 && writes_.empty() && banked_ == 0; }
  /// When reads are answered: those that were given to their banks since the last call. A read that is answered with
  /// another one has no answer of its own.
  std::vector<std::int64_t> take_answers() { return std::exchange(answers_, {}); }
  std::int64_t last_answer() const { return last_answer_; }
  std::int64_t last_written() const { return last_written_; }

 private:
  struct Access {
    Place place;
    std::uint64_t line = 0;
    bool write = false;
  };
  struct Bank {
    int open_row = -1, hits = 0;
    std::int64_t idle = 0;       ///< closed long enough to be refreshed or activated
    std::int64_t activate = 0;   ///< tRC
    std::int64_t access = 0;     ///< tRCD
    std::int64_t precharge = 0;  ///< tRAS, tRTP, tWR
    std::vector<Access> queue;
  };
  struct Group {
    std::int64_t activate = 0, read = 0, write = 0;
  };
  struct Rank {
    std::int64_t activate = 0, read = 0, write = 0;
    std::int64_t four_ago[4] = {-never, -never, -never, -never};  ///< the last activates
    int oldest = 0;
  };
  /// What a bank would do next, and when.
  struct Offer {
    std::int64_t at = never;
    CommandKind kind = CommandKind::activate;
    std::size_t access = 0;  ///< in the bank's queue
  };

  std::int64_t cycles(int Timings::*timing) const { return p_.timings.*timing; }
  Bank& bank_at(int rank, int bank) { return banks_[static_cast<std::size_t>(rank * p_.organization.banks + bank)]; }
  Group& group_at(int rank, int group) {
    return groups_[static_cast<std::size_t>(rank * p_.organization.groups + group)];
  }
  int rank_of(int bank_index) const { return bank_index / p_.organization.banks; }
  Offer offer(int bank_index, std::int64_t now) const;
  bool may_close(const Bank& bank) const;
  std::int64_t activate_time(int bank_index) const;
  bool refresh(std::int64_t now);
  bool give_command(std::int64_t now);
  void give(int bank_index, const Offer& offer, std::int64_t now);
  void activate(int bank_index, int row, std::int64_t now);
  void precharge(int bank_index, std::int64_t now);
  void access(int bank_index, std::size_t index, std::int64_t now);
  void after_read(const Access& access, std::int64_t now);
  void after_write(const Access& access, std::int64_t now);
  bool hand_over(std::int64_t now);
  bool waits(const Place& place, std::uint64_t line, bool write) const;
  void log(std::int64_t now, CommandKind kind, int rank, int bank, int row);

  const Parameters p_;
  const int number_;
  const std::int64_t refresh_step_;
  Simulation& result_;
  const std::size_t log_limit_;
  std::vector<Access> reads_, writes_;
  std::vector<std::int64_t> answers_;
  std::vector<Bank> banks_;
  std::vector<Group> groups_;
  std::vector<Rank> ranks_;
  std::vector<int> refreshes_;  ///< ranks whose refresh is due, the first one first
  int next_refreshed_ = 0, last_served_ = 0, draining_ = 0, banked_ = 0;
  std::int64_t waiting_reads_ = 0;
  bool stuck_ = false;  ///< no bank takes what waits, until one has served something
  bool settling_ = false;
  std::int64_t soonest_ = 0, refresh_at_ = never;  ///< cycle of the next command, if nothing is added
  std::int64_t last_answer_ = 0, last_written_ = 0;
};

}  // namespace convscope::dram
