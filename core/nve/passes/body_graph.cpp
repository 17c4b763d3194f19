#include "core/nve/passes/body_graph.h"

#include <cassert>

#include <fmt/format.h>

namespace convscope::nve {
namespace {

using Kind = LoopOperationKind;

// Builds operations in program order: bias, then kernel columns of each input, rows from the top.
class BodyBuilder {
 public:
  BodyBuilder(const Window& window, int connections, const std::vector<int>& word_sizes,
              const SchedulingMachine& machine)
      : window_(window),
        connections_(connections),
        word_sizes_(word_sizes),
        machine_(machine),
        layout_(machine, window.stride_height) {
    graph_.problem.resources = loop_resources();
  }

  Body build() {
    set_bias();
    for (int input = 0; input < connections_; ++input)
      for (int column = 0; column < window_.kernel_width; ++column)
        for (int row = 0; row < window_.kernel_height; ++row) mac(input, column, row);
    return {std::move(graph_.operations), std::move(graph_.problem), last_vector_, set_bias_};
  }

 private:
  // The register operation that brings a coefficient to the head of rw: a load where a word starts, else a shift.
  int weight_operation(int ordinal) {
    int operation;
    if (ordinal == next_word_start_) {
      operation =
          graph_.add({.kind = Kind::set_weights, .field = Field::wreg, .map = 0, .ordinal = ordinal, .word = word_},
                     {{port_a_output, 0}}, fmt::format("set rw w{}", word_));
      const int read = graph_.add(
          {.kind = Kind::read_coefficients, .field = Field::mema, .map = 0, .ordinal = ordinal, .word = word_}, {},
          fmt::format("rd coefficients {}", word_));
      graph_.depend(read, operation, machine_.read_to_set);
      next_word_start_ += word_sizes_[static_cast<std::size_t>(word_++)];
    } else {
      operation =
          graph_.add({.kind = Kind::shift_weights, .field = Field::wreg, .map = 0, .ordinal = ordinal}, {}, "sh rw");
      graph_.depend(last_weight_, operation, 1);
    }
    after_last_vector(operation);
    return last_weight_ = operation;
  }

  // A register may be overwritten in the very cycle in which the vector operation before reads it (set_to_use 1).
  void after_last_vector(int operation) {
    if (last_vector_ >= 0) graph_.depend(last_vector_, operation, 1 - machine_.set_to_use);
  }

  void vector_follows(int vector, const std::vector<int>& registers) {
    for (int operation : registers) graph_.depend(operation, vector, machine_.set_to_use);
    last_vector_ = vector;
  }

  void set_bias() {
    const int weight = weight_operation(0);
    set_bias_ = graph_.add({.kind = Kind::set_bias, .field = Field::vmac, .map = 0, .ordinal = 0}, {}, "set rb");
    vector_follows(set_bias_, {weight});
  }

  void mac(int input, int column, int row) {
    const int ordinal = 1 + (input * window_.kernel_width + column) * window_.kernel_height + row;
    // Listing set rw before set ri gives set rw the later cycle when both want port A, as in the thesis's Fig. 16.
    std::vector<int> registers{weight_operation(ordinal)};
    for (int operation : image_operations(ordinal, input, column, row)) registers.push_back(operation);
    const int vector = graph_.add(
        {.kind = Kind::mac, .field = Field::vmac, .map = 0, .ordinal = ordinal, .input = input, .column = column}, {},
        "mac");
    if (input == 0 && column == 0 && row == 0) graph_.depend(last_vector_, vector, 1);
    vector_follows(vector, registers);
  }

  std::vector<int> image_operations(int ordinal, int input, int column, int row) {
    if (row == 0) return column_loads(ordinal, input, column);
    const bool load = row == 1 && layout_.needs_extension(window_.kernel_height);
    const LoopOperation operation{.kind = load ? Kind::set_shift_image : Kind::shift_image,
                                  .field = Field::ireg,
                                  .map = 0,
                                  .ordinal = ordinal,
                                  .input = input,
                                  .column = column};
    int shift;
    if (load) {
      std::vector<schedule::ResourceUse> uses;
      if (!machine_.has_port_b()) uses.push_back({port_a_output, 0});
      shift = graph_.add(operation, uses, "setsh ri");
      read_pixels(shift, ordinal, input, column, layout_.base_words);
    } else {
      shift = graph_.add(operation, {}, "sh ri");
    }
    for (int before : last_image_) graph_.depend(before, shift, 1);
    after_last_vector(shift);
    return last_image_ = {shift};
  }

  // The loads of a new column, last group first: the group that is listed first gets the latest cycle.
  std::vector<int> column_loads(int ordinal, int input, int column) {
    std::vector<int> loads;
    for (int group = layout_.groups() - 1; group >= 0; --group) {
      const int load = graph_.add({.kind = Kind::set_image,
                                   .field = Field::ireg,
                                   .map = 0,
                                   .ordinal = ordinal,
                                   .input = input,
                                   .column = column,
                                   .group = group},
                                  {{port_a_output, 0}}, fmt::format("set ri {}", group));
      for (int i = 0; i < layout_.words_per_set; ++i) {
        const int word = group * layout_.words_per_set + i;
        if (word < layout_.base_words) read_pixels(load, ordinal, input, column, word);
      }
      after_last_vector(load);
      loads.push_back(load);
    }
    return last_image_ = loads;
  }

  void read_pixels(int load, int ordinal, int input, int column, int word) {
    const Field field = layout_.port(word) == 0 ? Field::mema : Field::memb;
    const int read = graph_.add({.kind = Kind::read_pixels,
                                 .field = field,
                                 .map = 0,
                                 .ordinal = ordinal,
                                 .input = input,
                                 .column = column,
                                 .word = word},
                                {}, fmt::format("rd s{}.{} word {}", input, column, word));
    graph_.depend(read, load, machine_.read_to_set);
  }

  const Window& window_;
  int connections_;
  const std::vector<int>& word_sizes_;
  const SchedulingMachine& machine_;
  RegisterLayout layout_;
  Loop graph_;
  int next_word_start_ = 0, word_ = 0;
  int set_bias_ = -1, last_weight_ = -1, last_vector_ = -1;
  std::vector<int> last_image_;
};

}  // namespace

Body build_body(const Window& window, int connections, const std::vector<int>& word_sizes,
                const SchedulingMachine& machine) {
  assert(window.kernel_height <= RegisterLayout(machine, window.stride_height).max_kernel_height());
  assert(connections > 0);
  return BodyBuilder(window, connections, word_sizes, machine).build();
}

}  // namespace convscope::nve
