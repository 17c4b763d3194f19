#include "core/cpu/measuring/beside_peers.h"

#include <algorithm>

namespace convscope::cpu {
namespace {

/// Libraries copy the image once for each tap, and keep what they made for all problems before.
constexpr std::uint64_t memory_of_libraries = std::uint64_t{4} << 30;

}  // namespace

RunAnswer run_beside_peers(const Laboratory& laboratory, const Runnable& ours, RunOptions options,
                           const std::stop_token& stop) {
  const std::string peers = find_peers();
  if (peers.empty())
    return {{}, {failed(Ending::unavailable, "convscope-peers isn't installed: no other library beside it")}, false};
  options.sampling.sustained = true;
  options.memory = std::max(options.memory, memory_of_libraries);
  RunAnswer answer = laboratory.run_with_peers({ours}, peers, options, stop);
  answer.complete = answer.complete && !answer.programs.empty() && answer.programs.front().ran();
  if (answer.programs.empty()) answer.programs = {failed(Ending::unavailable, "no answer")};
  return answer;
}

}  // namespace convscope::cpu
