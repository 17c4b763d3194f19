#pragma once
// Semaphores whose waits take the same posts in every order of events, or are refused. Private to the verifier.
//
// Wait n of a semaphore takes the posts G(n). It takes the same ones whatever the timing if every later post p comes
// after wait n, or after all posts of G(n): then p can't stand in for one of them. By induction it is enough to look
// at the last wait before p, and at those that are over while p lies there.

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/nmp/architecture/instruction.h"
#include "core/nmp/verify/clocks.h"

namespace convscope::nmp::verification {

struct Post {
  Epoch step;
  std::shared_ptr<const Clocks> clocks;  ///< of the poster
};

class Semaphore {
 public:
  std::size_t pending() const { return pending_.size(); }
  const Post& oldest() const { return pending_.front(); }

  /// `waiter`: the core that waits here. A post of the last wait that this one could stand in for, if there is one.
  std::optional<Epoch> add(Post post, int waiter);
  /// Takes `count` posts, which are there, into the waiter's clocks, whose own step is then that wait's. A post that
  /// could stand in for another, if there is one.
  std::optional<Epoch> take(std::size_t count, int waiter, Clocks& clocks);

 private:
  /// The first post of the last wait that `clocks` doesn't come after.
  std::optional<Epoch> not_after(const Clocks& clocks) const;

  std::deque<Post> pending_;
  std::vector<Epoch> taken_;  ///< by the last wait
  std::uint32_t wait_ = 0;    ///< its step
};

}  // namespace convscope::nmp::verification
