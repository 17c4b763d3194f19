#pragma once
// A program for one strip of output rows, with everything that host, simulator and verifier need.
// Source: thesis, sections 3.3 (settings, initial / repeat / final), 3.4 and 4.4.

#include <cstdint>
#include <string>
#include <vector>

#include "core/nve/architecture/instruction.h"
#include "core/nve/architecture/machine.h"
#include "core/nve/architecture/stored_column.h"

namespace convscope::nve {

/// One output map that the program computes, or a part of its columns: a map may stand at several positions.
struct OutputMap {
  int map = 0;              ///< index in the layer
  std::vector<int> inputs;  ///< positions in Program::inputs, in the order in which they are accumulated
  bool operator==(const OutputMap&) const = default;
};

/// A coefficient of a map: ordinal 0 is the bias, 1 + (i * kernel width + x) * kernel height + y the weight at column
/// x, row y of the i-th input in OutputMap::inputs.
struct Coefficient {
  int map = -1;  ///< position in Program::maps; -1: unused place in a word
  int ordinal = 0;
  bool operator==(const Coefficient&) const = default;
};

/// A word that the host supplies when a write is executed. Units and ordered words (pass_order.h) are those of pass 0;
/// each pass takes as many further ones as a pass has.
struct StreamWord {
  enum class Kind : std::uint8_t { coefficients, pixels, unit, ordered } kind = Kind::pixels;
  int index = 0;   ///< coefficients: position in Program::coefficient_words; pixels: position in Program::inputs; else
                   ///< the number of the unit or ordered word
  int column = 0;  ///< pixels: column of the padded input in repetition 0; repetition r takes column + r * stride width
  int word = 0;    ///< pixels and units: word of the column
  bool operator==(const StreamWord&) const = default;
  bool holds_pixels() const { return kind == Kind::pixels || kind == Kind::unit; }
};

/// An ACT result that leaves the machine.
struct OutputWord {
  int map = 0;  ///< position in Program::maps
  int half = 0;
  int iteration =
      0;  ///< output column in repetition 0; repetition r gives iteration + r. Outside [0, width): discarded
  bool operator==(const OutputWord&) const = default;
};

/// What one section reads from and gives to the host each time it runs, in the order of execution.
struct SectionTraffic {
  std::vector<StreamWord> stream;
  std::vector<OutputWord> outputs;
  bool operator==(const SectionTraffic&) const = default;
};

struct Program {
  std::string name;  ///< e.g. "L1.0": layer and program number
  Machine machine;

  // The layer, as far as this program computes it.
  std::string layer;
  int kernel_height = 1, kernel_width = 1;
  int stride_height = 1, stride_width = 1;
  int dilation_height = 1, dilation_width = 1;  ///< rows and columns from one weight of the kernel to the next
  bool polyphase = false;                 ///< columns are stored de-interleaved by row phase (row mod stride_height)
  int out_height = 1, out_width = 1;      ///< of the whole map; a strip is `lanes` rows, iterations are columns
  int padding_top = 0, padding_left = 0;  ///< rows and columns of zeros that the host supplies before the image
  int in_maps = 1, in_height = 1, in_width = 1;
  std::vector<int> inputs;  ///< maps of the layer's input that are loaded
  std::vector<OutputMap> maps;
  std::vector<std::vector<Coefficient>> coefficient_words;  ///< what the host packs into each coefficient word

  // Setting registers.
  int initial_size = 0;    ///< instructions 0 … initial_size-1 run once (initial writes, then prologue)
  int prologue_begin = 0;  ///< first instruction of the prologue inside them; for people only
  int repeat_size = 0;     ///< the next ones run `iterations` times
  int iterations = 0;
  int final_size = 0;        ///< the rest runs once
  int pass_size = 0;         ///< of the repeated ones, the last that run `passes` times an iteration; the head before
  int passes = 0;            ///< them runs once. 0: no inner loop
  int increment = 0;         ///< AGU inc, words
  int toggle = 0;            ///< AGU toggle, words; 0: circular mode unused
  int activation_shift = 8;  ///< accumulator bits below the activation table's index
  int bias_shift = 0;        ///< biases are shifted to the left by so much when they are loaded
  int units = 0;             ///< columns of inputs that a pass, or head, takes: pass_order.h; 0: the program has none
  int lead = 0;              ///< coefficients of an iteration before those that have words of their own

  std::vector<EncodedWord> words;
  SectionTraffic initial, repeat, pass, final;  ///< `repeat`: of the head, where there is an inner loop

  bool operator==(const Program&) const = default;

  int head_size() const { return repeat_size - pass_size; }
  /// Instructions executed by one iteration.
  std::int64_t cycles_per_iteration() const { return head_size() + std::int64_t{pass_size} * passes; }
  /// Instructions executed over one strip.
  std::int64_t cycles_per_strip() const { return initial_size + cycles_per_iteration() * iterations + final_size; }
  /// Distance in the image register of the pixels that neighbouring lanes take: de-interleaved pixels lie side by side.
  int lane_stride() const { return polyphase ? 1 : stride_height; }
  StoredColumn stored_column() const { return {machine, kernel_height, stride_height, polyphase, dilation_height}; }
  /// Lanes whose results the program gives out: of a program that gives out one half of its vectors only, that half.
  int first_lane() const;
  /// Output rows of a strip, as many as lanes that give out results. Lane l computes row l - first_lane() of the strip.
  int rows_per_strip() const;
  int strips() const { return (out_height + rows_per_strip() - 1) / rows_per_strip(); }
  /// Useful multiply-accumulates of one full strip, image borders not subtracted.
  std::int64_t macs_per_strip() const;
  /// Words in and out over one strip.
  std::int64_t words_in_per_strip() const;
  std::int64_t words_out_per_strip() const;
};

}  // namespace convscope::nve
