#pragma once
// What several images at once cost: figures stay those of one image everywhere else.

#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "core/artifact/metrics.h"

namespace convscope::artifact {

/// Of a layer, or of a network, for all images together.
struct BatchFigures {
  enum class Weights {
    none,   ///< there are none
    again,  ///< fetched again for each image: a batch saves nothing
    kept,   ///< fetched once for all images
    partly  ///< of a network: kept by some layers
  };
  std::int64_t images = 1;
  std::int64_t macs = 0;
  Quantity cycles{0, "cycles", Origin::derived};
  Quantity seconds{0, "s", Origin::derived};
  std::int64_t bytes_in = 0, bytes_out = 0, bytes_weights = 0;
  Weights weights = Weights::none;
  double seconds_saved = 0;      ///< against as many runs of one image
  std::int64_t bytes_saved = 0;  ///< of weights
  std::string note = {};         ///< why, in words of the target
};

const char* weights_name(BatchFigures::Weights weights);  ///< "none", "fetched again", "kept", "kept in part"

/// One image after the other, with nothing kept: everything as often as there are images. Counts beyond 2^63 stay
/// there.
BatchFigures image_after_image(const Metrics& one, std::int64_t images, std::string note);

/// The same with weights that are fetched once, so that the batch takes `seconds` on a clock of `clock_hz`.
BatchFigures with_kept_weights(const Metrics& one, std::int64_t images, double seconds, double clock_hz,
                               std::string note);

/// All images at once, as one map of which each is a pixel, by a program of their own (`together`, its figures):
/// weights are fetched once, and images go in and come out as that program moves them.
BatchFigures side_by_side(const Metrics& one, const Metrics& together, std::int64_t images, std::string note);

/// The last batch that somebody asked for, as tables ask again with every repaint. May be used from many threads.
class LastBatch {
 public:
  BatchFigures get(std::int64_t images, const std::function<BatchFigures()>& make) const;

 private:
  mutable std::mutex mutex_;
  mutable std::optional<BatchFigures> last_;
};

/// A network's batch, from its total and its layers (with their own figures): what differs from `images` times the
/// total is what layers save, and what runs more or less often than the network.
class BatchTotal {
 public:
  BatchTotal(const Metrics& total, std::int64_t images) : total_(image_after_image(total, images, {})) {}
  void add(const Metrics& layer, const BatchFigures& batch);
  BatchFigures take();

 private:
  BatchFigures total_;
  bool kept_ = false, again_ = false;
};

}  // namespace convscope::artifact
