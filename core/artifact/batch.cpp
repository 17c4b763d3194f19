#include "core/artifact/batch.h"

#include <cmath>
#include <limits>
#include <utility>

namespace convscope::artifact {
namespace {

std::int64_t times(std::int64_t count, std::int64_t images) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(count, images, &result) ? std::numeric_limits<std::int64_t>::max() : result;
}

/// A sum of a count and of what another is more than a third.
std::int64_t moved(std::int64_t count, std::int64_t more, std::int64_t less) {
  std::int64_t difference = 0, result = 0;
  if (__builtin_sub_overflow(more, less, &difference) || __builtin_add_overflow(count, difference, &result))
    return std::numeric_limits<std::int64_t>::max();
  return result;
}

}  // namespace

const char* weights_name(BatchFigures::Weights weights) {
  switch (weights) {
    case BatchFigures::Weights::none:
      return "none";
    case BatchFigures::Weights::again:
      return "fetched again";
    case BatchFigures::Weights::kept:
      return "kept";
    case BatchFigures::Weights::partly:
      return "kept in part";
  }
  return "";
}

BatchFigures image_after_image(const Metrics& one, std::int64_t images, std::string note) {
  const auto count = static_cast<double>(images);
  BatchFigures batch;
  batch.images = images;
  batch.macs = times(one.macs, images);
  batch.cycles = {one.cycles.value * count, one.cycles.unit, weaker(one.cycles.origin, Origin::derived)};
  batch.seconds = {one.seconds.value * count, one.seconds.unit, weaker(one.seconds.origin, Origin::derived)};
  batch.bytes_in = times(one.bytes_in, images);
  batch.bytes_out = times(one.bytes_out, images);
  batch.bytes_weights = times(one.bytes_weights, images);
  if (one.bytes_weights == 0) return batch;
  batch.weights = BatchFigures::Weights::again;
  batch.note = std::move(note);
  return batch;
}

BatchFigures with_kept_weights(const Metrics& one, std::int64_t images, double seconds, double clock_hz,
                               std::string note) {
  BatchFigures batch = image_after_image(one, images, std::move(note));
  if (one.bytes_weights > 0) batch.weights = BatchFigures::Weights::kept;
  batch.bytes_saved = batch.bytes_weights - one.bytes_weights;
  batch.bytes_weights = one.bytes_weights;
  batch.seconds_saved = batch.seconds.value - seconds;
  batch.seconds.value = seconds;
  batch.cycles.value = std::round(seconds * clock_hz);
  return batch;
}

BatchFigures side_by_side(const Metrics& one, const Metrics& together, std::int64_t images, std::string note) {
  BatchFigures batch = image_after_image(one, images, std::move(note));
  batch.weights = BatchFigures::Weights::kept;
  batch.seconds_saved = batch.seconds.value - together.seconds.value;
  batch.bytes_saved = batch.bytes_weights - together.bytes_weights;
  batch.cycles = together.cycles;
  batch.seconds = together.seconds;
  batch.bytes_in = together.bytes_in, batch.bytes_out = together.bytes_out;
  batch.bytes_weights = together.bytes_weights;
  return batch;
}

BatchFigures LastBatch::get(std::int64_t images, const std::function<BatchFigures()>& make) const {
  const std::lock_guard lock(mutex_);
  if (!last_ || last_->images != images) last_ = make();
  return *last_;
}

void BatchTotal::add(const Metrics& layer, const BatchFigures& batch) {
  const BatchFigures plain = image_after_image(layer, total_.images, {});
  total_.macs = moved(total_.macs, batch.macs, plain.macs);
  total_.cycles.value += batch.cycles.value - plain.cycles.value;
  total_.seconds.value += batch.seconds.value - plain.seconds.value;
  total_.cycles.origin = weaker(total_.cycles.origin, batch.cycles.origin);
  total_.seconds.origin = weaker(total_.seconds.origin, batch.seconds.origin);
  total_.bytes_in = moved(total_.bytes_in, batch.bytes_in, plain.bytes_in);
  total_.bytes_out = moved(total_.bytes_out, batch.bytes_out, plain.bytes_out);
  total_.bytes_weights = moved(total_.bytes_weights, batch.bytes_weights, plain.bytes_weights);
  total_.seconds_saved += batch.seconds_saved;
  total_.bytes_saved = moved(total_.bytes_saved, batch.bytes_saved, 0);
  kept_ = kept_ || batch.weights == BatchFigures::Weights::kept;
  again_ = again_ || batch.weights == BatchFigures::Weights::again;
  if (!batch.note.empty() && total_.note.find(batch.note) == std::string::npos)
    total_.note += (total_.note.empty() ? "" : "; ") + batch.note;
}

BatchFigures BatchTotal::take() {
  using Weights = BatchFigures::Weights;
  if (kept_ || again_) total_.weights = !kept_ ? Weights::again : again_ ? Weights::partly : Weights::kept;
  return std::move(total_);
}

}  // namespace convscope::artifact
