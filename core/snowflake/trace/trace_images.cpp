#include "core/snowflake/trace/trace_images.h"

#include <algorithm>

namespace convscope::snowflake {
namespace {

constexpr int most_images = 64, most_channels = 8;

std::int64_t end_of(const TraceImages::Place& place) {
  return place.first_word + place.pixels() * place.maps.pitch;
}

bool meet(const TraceImages::Place& a, const TraceImages::Place& b) {
  return a.first_word < end_of(b) && b.first_word < end_of(a);
}

}  // namespace

TraceImages::TraceImages(const Program& program) {
  for (int i = 0; i < static_cast<int>(program.layers.size()); ++i) {
    const ProgramLayer& layer = program.layers[static_cast<std::size_t>(i)];
    inputs_.push_back(find_or_add(program, layer.in, i, false));
    bypasses_.push_back(find_or_add(program, layer.bypass, i, false));
    outputs_.push_back(find_or_add(program, layer.out, i, true));
  }
  drop_shared();
  const auto shown = std::count_if(places_.begin(), places_.end(), [](const Place& p) { return p.channels > 0; });
  const int each = shown == 0 ? 0 : std::clamp(most_images / static_cast<int>(shown), 1, most_channels);
  for (std::size_t p = 0; p < places_.size(); ++p) {
    Place& place = places_[p];
    place.channels = std::min(place.channels, each);
    place.first_image = images_.size();
    for (int channel = 0; channel < place.channels; ++channel) images_.push_back({static_cast<int>(p), channel});
    place.first_pixel = growing_;
    if (place.output) growing_ += place.channels * place.pixels();
  }
}

int TraceImages::find_or_add(const Program& program, const MapsPlace& maps, int layer, bool output) {
  if (maps.region < 0) return -1;
  auto found = std::find_if(places_.begin(), places_.end(), [&](const Place& each) { return each.maps == maps; });
  if (found == places_.end()) {
    const std::int64_t first = program.regions[static_cast<std::size_t>(maps.region)].first_word + maps.offset;
    found = places_.insert(places_.end(), {maps, first, layer, false, maps.channels, 0, 0});
  }
  // Written twice, it would be no picture of either layer.
  if (output && found->output) found->channels = 0;
  if (output) found->layer = layer;
  found->output = found->output || output;
  return static_cast<int>(found - places_.begin());
}

void TraceImages::drop_shared() {
  std::vector<Place> alone = places_;
  for (std::size_t i = 0; i < places_.size(); ++i)
    for (std::size_t j = 0; j < places_.size(); ++j)
      if (i != j && meet(places_[i], places_[j])) alone[i].channels = 0;
  places_ = std::move(alone);
}

std::optional<TraceImages::Pixel> TraceImages::pixel_of(int place, std::int64_t dram_word) const {
  if (place < 0) return std::nullopt;
  const Place& p = places_[static_cast<std::size_t>(place)];
  const std::int64_t word = dram_word - p.first_word;
  if (word < 0 || dram_word >= end_of(p) || word % p.maps.pitch >= p.channels) return std::nullopt;
  return Pixel{p.first_image + static_cast<std::size_t>(word % p.maps.pitch), word / p.maps.pitch};
}

std::optional<TraceImages::Pixel> TraceImages::read(int layer, std::int64_t dram_word) const {
  if (const auto pixel = pixel_of(of_layer(inputs_, layer), dram_word)) return pixel;
  return pixel_of(of_layer(bypasses_, layer), dram_word);
}

std::int64_t TraceImages::dram_word(const Image& image, std::int64_t element) const {
  const Place& place = places_[static_cast<std::size_t>(image.place)];
  return place.first_word + element * place.maps.pitch + image.channel;
}

std::int64_t TraceImages::growing_pixel(const Pixel& pixel) const {
  const Image& image = images_[pixel.image];
  const Place& place = places_[static_cast<std::size_t>(image.place)];
  return place.output ? place.first_pixel + image.channel * place.pixels() + pixel.element : -1;
}

}  // namespace convscope::snowflake
