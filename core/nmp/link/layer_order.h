#pragma once
// What lies between the layers of a network's program: nothing, a barrier, or semaphores by which each TLE waits for
// those alone whose bytes it needs (docs/nmp-program.md, "Networks").

#include <cstdint>
#include <vector>

#include "core/nmp/architecture/program.h"

namespace convscope::nmp {

/// What a TLE touches in a layer; of each the ranges are sorted and don't meet.
struct TouchedBytes {
  std::vector<ByteRange> read, written;
};
using TouchedByTles = std::vector<TouchedBytes>;

/// What is between a layer and the next.
struct Crossing {
  enum class Kind : std::uint8_t {
    none,       ///< nothing: the layers behind need no byte that the ones before still work on
    barrier,    ///< all TLTs meet
    semaphores  ///< the TLTs of a TLE meet, and the TLE waits for some others
  };
  /// With semaphores: a TLE that has done its layer tells those that wait for it here, and those that wait for it one
  /// crossing later.
  struct OfTle {
    std::uint32_t tells_now = 0, tells_next = 0;  ///< TLEs by bit
    int waits_now = 0, waits_before = 0;          ///< posts from this crossing, and from the one before
  };
  Kind kind = Kind::none;
  std::vector<OfTle> tles;
};

/// Crossings take semaphores in turn from sets of this size, so that a post meets none of another crossing.
inline constexpr int crossing_semaphores = 4;

/// What orders all pairs of which one touches what the other writes, and nothing more than crossings can express;
/// behind each layer but the last. `touched`: by layer and TLE. A barrier where each TLE would wait for each, where a
/// post might be taken for another one's, before the layers that begin `together` (of none if it is empty), and
/// everywhere without `by_semaphores`.
std::vector<Crossing> order_layers(const std::vector<TouchedByTles>& touched, bool by_semaphores,
                                   const std::vector<bool>& together = {});

}  // namespace convscope::nmp
