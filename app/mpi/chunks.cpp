#include "app/mpi/chunks.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <mpi.h>

#include "app/mpi/messages.h"

namespace convscope::mpi {
namespace {

// MPI's own waiting keeps a core busy, which a worker has better use for.
constexpr auto patience = std::chrono::microseconds(200);

bool all_stored(explore::Strategy& strategy, const std::unordered_set<std::uint64_t>& stored) {
  const explore::Front front;
  for (auto batch = strategy.next(front); !batch.empty(); batch = strategy.next(front))
    for (const std::uint64_t point : batch)
      if (!stored.count(point)) return false;
  return true;
}

int wait_for_request() {
  int there = 0;
  MPI_Status status;
  while (MPI_Iprobe(MPI_ANY_SOURCE, request_tag, MPI_COMM_WORLD, &there, &status), !there)
    std::this_thread::sleep_for(patience);
  MPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, request_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return status.MPI_SOURCE;
}

long long ask() {
  long long chunk = no_chunk;
  MPI_Send(nullptr, 0, MPI_BYTE, coordinator, request_tag, MPI_COMM_WORLD);
  MPI_Recv(&chunk, 1, MPI_LONG_LONG, coordinator, chunk_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return chunk;
}

}  // namespace

Chunks::Chunks(const explore::StrategyOptions& strategy, std::shared_ptr<const explore::Space> points_of,
               std::uint64_t points)
    : options(strategy), space(std::move(points_of)) {
  const std::uint64_t all = explore::make_strategy(options, space)->total().value();
  count = std::max<std::uint64_t>(1, (all + points - 1) / points);
}

std::unique_ptr<explore::Strategy> Chunks::strategy(std::uint64_t chunk) const {
  explore::StrategyOptions part = options;
  part.shard = {chunk, count};
  return explore::make_strategy(part, space);
}

std::vector<std::uint64_t> AskedChunks::next(const explore::Front& front) {
  while (true) {
    if (current_) {
      auto batch = current_->next(front);
      if (!batch.empty()) return batch;
    }
    const long long chunk = ask();
    if (chunk == no_chunk) return {};
    current_ = chunks_.strategy(static_cast<std::uint64_t>(chunk));
  }
}

void hand_out(const Chunks& chunks, const std::unordered_set<std::uint64_t>& stored, int workers,
              const std::stop_token& stop) {
  std::uint64_t next = 0;
  while (workers > 0) {
    const int worker = wait_for_request();
    while (next < chunks.count && !stored.empty() && all_stored(*chunks.strategy(next), stored)) ++next;
    const bool some = next < chunks.count && !stop.stop_requested();
    const long long answer = some ? static_cast<long long>(next++) : no_chunk;
    MPI_Send(&answer, 1, MPI_LONG_LONG, worker, chunk_tag, MPI_COMM_WORLD);
    if (!some) --workers;
  }
}

}  // namespace convscope::mpi
