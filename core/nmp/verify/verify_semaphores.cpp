#include "core/nmp/verify/verify_semaphores.h"

#include <utility>

namespace convscope::nmp::verification {

std::optional<Epoch> Semaphore::not_after(const Clocks& clocks) const {
  for (const Epoch& post : taken_)
    if (!is_before(post, clocks)) return post;
  return std::nullopt;
}

std::optional<Epoch> Semaphore::add(Post post, int waiter) {
  const bool after_wait = is_before({waiter, wait_}, *post.clocks);
  const auto found = after_wait ? std::nullopt : not_after(*post.clocks);
  pending_.push_back(std::move(post));
  return found;
}

std::optional<Epoch> Semaphore::take(std::size_t count, int waiter, Clocks& clocks) {
  taken_.clear();
  for (; count > 0; --count) {
    join(clocks, *pending_.front().clocks);
    taken_.push_back(pending_.front().step);
    pending_.pop_front();
  }
  wait_ = ++clocks[static_cast<std::size_t>(waiter)];
  for (const Post& post : pending_)
    if (const auto found = not_after(*post.clocks)) return found;
  return std::nullopt;
}

}  // namespace convscope::nmp::verification
