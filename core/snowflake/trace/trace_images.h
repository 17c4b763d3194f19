#pragma once
// Maps of a program's layers as images: which there are, and which pixel a word of DRAM is.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/snowflake/architecture/program.h"
#include "core/snowflake/simulate/entries.h"

namespace convscope::snowflake {

/// Of maps whose words no other maps share: what is written over others is no picture of either. The first channels
/// of each, since all of a pixel's lie together.
class TraceImages {
 public:
  struct Image {
    int place = 0;  ///< of `places`
    int channel = 0;
  };
  struct Place {
    MapsPlace maps;
    std::int64_t first_word = 0;   ///< in DRAM
    int layer = 0;                 ///< that has it as output, or else reads it first
    bool output = false;           ///< of a layer: it grows
    int channels = 1;              ///< that are shown
    std::size_t first_image = 0;   ///< of `images`
    std::int64_t first_pixel = 0;  ///< of all pixels that grow
    std::int64_t pixels() const { return std::int64_t{maps.height} * maps.width; }
  };
  struct Pixel {
    std::size_t image = 0;
    std::int64_t element = 0;  ///< row * width + column
  };

  explicit TraceImages(const Program& program);

  const std::vector<Place>& places() const { return places_; }
  const std::vector<Image>& images() const { return images_; }
  /// Pixels of all images that grow.
  std::int64_t growing() const { return growing_; }

  /// A word of DRAM that a layer reads, as a pixel of its input or bypass that is shown.
  std::optional<Pixel> read(int layer, std::int64_t dram_word) const;
  /// Calls `each` with every shown pixel that a vector instruction leaves when it ends.
  template <class Each>
  void visit_results(const simulation::VectorEntry& vector, int cus, Each each) const {
    const int place = vector.output.words == 0 ? -1 : of_layer(outputs_, vector.word->layer);
    for (int cu = 0; place >= 0 && cu < cus; ++cu) {
      if ((vector.output.cus >> cu & 1) == 0) continue;
      for (std::int64_t i = 0; i < vector.output.words; ++i)
        if (const auto pixel = pixel_of(place, vector.output.first + vector.output.stride * cu + i)) each(*pixel);
    }
  }

  std::int64_t dram_word(const Image& image, std::int64_t element) const;
  /// Among all pixels that grow; -1 of an image that doesn't.
  std::int64_t growing_pixel(const Pixel& pixel) const;

 private:
  static int of_layer(const std::vector<int>& places, int layer) {
    return layer < 0 || layer >= static_cast<int>(places.size()) ? -1 : places[static_cast<std::size_t>(layer)];
  }
  int find_or_add(const Program& program, const MapsPlace& maps, int layer, bool output);
  void drop_shared();
  std::optional<Pixel> pixel_of(int place, std::int64_t dram_word) const;

  std::vector<Place> places_;
  std::vector<Image> images_;
  std::vector<int> inputs_, bypasses_, outputs_;  ///< place by layer; -1: none
  std::int64_t growing_ = 0;
};

}  // namespace convscope::snowflake
