#pragma once
// Work in chunks: small shards that are handed out one by one, so that slow machines and slow points delay nobody.

#include <stop_token>
#include <unordered_set>

#include "core/explore/sweep/strategy.h"

namespace convscope::mpi {

/// The shards of a sweep, a chunk each.
struct Chunks {
  explore::StrategyOptions options;
  std::shared_ptr<const explore::Space> space;
  std::uint64_t count = 1;

  /// So many that each holds about `points`.
  Chunks(const explore::StrategyOptions& strategy, std::shared_ptr<const explore::Space> points_of,
         std::uint64_t points);
  std::unique_ptr<explore::Strategy> strategy(std::uint64_t chunk) const;
};

/// What a worker does: asks the coordinator for chunk after chunk.
class AskedChunks : public explore::Strategy {
 public:
  explicit AskedChunks(Chunks chunks) : chunks_(std::move(chunks)) {}
  std::vector<std::uint64_t> next(const explore::Front& front) override;

 private:
  Chunks chunks_;
  std::unique_ptr<explore::Strategy> current_;
};

/// What the coordinator does: answers until every worker was told that nothing is left. Chunks all of whose points are
/// stored are not handed out.
void hand_out(const Chunks& chunks, const std::unordered_set<std::uint64_t>& stored, int workers,
              const std::stop_token& stop);

}  // namespace convscope::mpi
