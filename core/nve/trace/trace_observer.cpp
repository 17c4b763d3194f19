#include "core/nve/trace/trace_observer.h"

#include <algorithm>

namespace convscope::nve {

void TraceObserver::load(int word, const simulation::BufferWord& from, int count) {
  const int first = word * layout_.pixels_per_word;
  for (int i = 0; i < count; ++i)
    origins[static_cast<std::size_t>(first + i)] = {from.holds_pixels() ? from.number() : -1, i};
  for (const int block : {blocks_.image, blocks_.window}) add(AccessKind::write, block, first, count);
}

void TraceObserver::image_set(int group, const simulation::BufferWord& a, const simulation::BufferWord& b) {
  const int word = group * layout_.words_per_set;
  load(word, a, layout_.pixels_per_word);
  if (layout_.words_per_set == 2 && word + 1 < layout_.base_words) load(word + 1, b, layout_.pixels_per_word);
  // The extension belongs to the vector before, and is lost.
  const int base = layout_.base_words * layout_.pixels_per_word;
  for (const int block : {blocks_.image, blocks_.window})
    add(AccessKind::write, block, base, layout_.register_pixels() - base);
}

void TraceObserver::image_shifted(const simulation::BufferWord* extension) {
  if (extension != nullptr) load(layout_.base_words, *extension, layout_.extension);
  std::move(origins.begin() + 1, origins.end(), origins.begin());
  for (const int block : {blocks_.image, blocks_.window}) whole(AccessKind::write, block);
}

void TraceObserver::accumulators(int vector) {
  for (const AccessKind kind : {AccessKind::read, AccessKind::write})
    add(kind, blocks_.accumulators, std::int64_t{vector} * layout_.lanes, layout_.lanes);
}

void TraceObserver::multiplied(int vector) {
  add(AccessKind::read, blocks_.weights, 0, 1);
  for (const int block : {blocks_.image, blocks_.window})
    add(AccessKind::read, block, 0, std::int64_t{layout_.lanes - 1} * layout_.stride + 1);
  accumulators(vector);
}

// What was summed up before moves to the output stage.
void TraceObserver::bias_set(int vector) {
  add(AccessKind::read, blocks_.weights, 0, 1);
  accumulators(vector);
}

void TraceObserver::activated(const OutputWord& item, std::int64_t at) {
  const std::int64_t half = layout_.lanes / 2;
  add(AccessKind::read, blocks_.output, item.half * half, half);
  given = item;
  column = at;
}

}  // namespace convscope::nve
