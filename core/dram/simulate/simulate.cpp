#include "core/dram/simulate/simulate.h"

#include <algorithm>
#include <queue>

#include "core/base/cancellation.h"
#include "core/dram/simulate/channel.h"

namespace convscope::dram {
namespace {

class System {
 public:
  System(const Parameters& p, const RequestSource& next, const SimulationOptions& options, const std::stop_token& stop)
      : map_(p.organization), next_(next), options_(options), stop_(stop), in_flight_(p.controller.in_flight) {
    for (int i = 0; i < p.organization.channels; ++i) channels_.emplace_back(p, i, result_, options.log_limit);
    more_ = next_(head_);
  }

  Simulation run() {
    for (std::int64_t now = 0, looks = 0; !finished(); ++looks) {
      if (looks % 4096 == 0) throw_if_stopped(stop_);
      bool acted = ask(now);
      for (Channel& channel : channels_) acted = channel.tick(now) || acted;
      now = acted ? now + 1 : next_event(now);
    }
    for (const Channel& channel : channels_)
      result_.cycles = std::max({result_.cycles, channel.last_answer(), options_.settle ? channel.last_written() : 0});
    return std::move(result_);
  }

 private:
  std::int64_t answered() const {
    std::int64_t last = 0;
    for (const Channel& channel : channels_)
      last = std::max(last, channel.reads_wait() ? never : channel.last_answer());
    return last;
  }

  bool ask(std::int64_t now) {
    bool asked = false;
    for (std::size_t i = 0; i < channels_.size() && more_; ++i) {
      if (head_.after_reads && answered() > now) break;
      const Place place = map_.place(head_.address);
      Channel& channel = channels_[static_cast<std::size_t>(place.channel)];
      if (!channel.accepts(head_.write) || (!head_.write && too_many(now))) break;
      if (channel.add(place, map_.line(head_.address), head_.write, now) && !head_.write) ++unanswered_;
      asked = true;
      more_ = next_(head_);
    }
    if (more_ || settled_) return asked;
    settled_ = true;
    if (options_.settle)
      for (Channel& channel : channels_) channel.settle();
    return asked;
  }

  bool too_many(std::int64_t now) {
    if (in_flight_ == 0) return false;
    for (Channel& channel : channels_)
      for (const std::int64_t at : channel.take_answers()) answers_.push(at);
    while (!answers_.empty() && answers_.top() <= now) {
      answers_.pop();
      --unanswered_;
    }
    return unanswered_ >= in_flight_;
  }

  std::int64_t next_event(std::int64_t now) const {
    std::int64_t next = never;
    for (const Channel& channel : channels_) next = std::min(next, channel.next_event(now));
    if (const std::int64_t last = answered(); more_ && head_.after_reads && last > now) next = std::min(next, last);
    if (more_ && !answers_.empty()) next = std::min(next, std::max(now + 1, answers_.top()));
    return next;
  }

  bool finished() const {
    if (more_) return false;
    return std::all_of(channels_.begin(), channels_.end(), [&](const Channel& channel) {
      return !channel.reads_wait() && (!options_.settle || channel.idle());
    });
  }

  AddressMap map_;
  const RequestSource& next_;
  const SimulationOptions& options_;
  const std::stop_token& stop_;
  Simulation result_;
  std::vector<Channel> channels_;
  Request head_;
  const int in_flight_;
  std::int64_t unanswered_ = 0;  ///< reads, counted if their number is limited
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> answers_;
  bool more_ = false, settled_ = false;
};

}  // namespace

Simulation simulate(const Parameters& parameters, const RequestSource& next, const SimulationOptions& options,
                    const std::stop_token& stop) {
  return System(parameters, next, options, stop).run();
}

}  // namespace convscope::dram
