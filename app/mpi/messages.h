#pragma once
// Two messages: a worker asks, the coordinator answers with the number of a chunk, or none.

namespace convscope::mpi {

inline constexpr int coordinator = 0;
inline constexpr int request_tag = 1, chunk_tag = 2;
inline constexpr long long no_chunk = -1;

}  // namespace convscope::mpi
