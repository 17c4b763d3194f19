#include "core/cpu/stored/stored_peers.h"

#include <algorithm>

namespace convscope::cpu {
namespace {

constexpr std::size_t newest_records = 5000;

}  // namespace

bool keep_peers(Store& store, Record ours, const RunAnswer& answer, Diagnostics& diagnostics) {
  Record other = ours;
  other.path = {};
  other.source_hash = 0;
  other.algorithm = of_peer;
  for (const PeerOutcome& peer : answer.peers) {
    if (!peer.outcome.ran()) continue;
    other.outcome = peer.outcome;
    other.outcome.compiler = peer.name;
    other.outcome.flags = peer.implementation;
    other.temporary_bytes = peer.temporary_bytes;
    if (!store.add(other, diagnostics)) return false;
  }
  // Last: who reads from the newest on finds ours first, with the others of its run behind it.
  ours.outcome = answer.programs.front();
  ours.algorithm = beside_peers;
  return store.add(ours, diagnostics);
}

std::vector<StoredPeer> stored_peers(const Store& store, const Problem& problem, const std::string& host) {
  std::vector<StoredPeer> peers;
  bool begun = false;
  for (const Record& record : store.runs(problem, newest_records)) {
    if (record.host != host) continue;
    const bool ours = record.algorithm == beside_peers;
    if (ours && begun) break;  // an older run
    begun = begun || ours;
    if (begun && record.algorithm == of_peer)
      peers.push_back({record.outcome.compiler, record.outcome.flags, seconds_of(record.outcome)});
  }
  std::stable_sort(peers.begin(), peers.end(),
                   [](const StoredPeer& a, const StoredPeer& b) { return a.seconds < b.seconds; });
  return peers;
}

}  // namespace convscope::cpu
