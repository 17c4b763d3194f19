#include "core/nve/passes/body_graph.h"

#include <cassert>

#include <fmt/format.h>

namespace convscope::nve {
namespace {

using Kind = LoopOperationKind;

// Builds operations in program order: bias, then kernel columns of each input, rows from the top.
class BodyBuilder {
 public:
  BodyBuilder(const Window& window, int connections, const std::vector<int>& word_starts,
              const SchedulingMachine& machine, bool pixels_beside_bias)
      : window_(window),
        connections_(connections),
        word_starts_(word_starts),
        machine_(machine),
        pixels_beside_bias_(pixels_beside_bias),
        column_(window.column(machine)),
        layout_(column_.registers()),
        order_(coefficient_order(window, connections)) {
    graph_.problem.resources = loop_resources();
  }

  Body build() {
    set_bias();
    for (int input = 0; input < connections_; ++input)
      for (int column = 0; column < window_.kernel_width; ++column)
        for (int phase = 0; phase < column_.phases(); ++phase)
          for (int row = 0; row < column_.kernel_rows(phase); ++row)
            mac(input, column * window_.dilation_width, phase, row);
    return {std::move(graph_.operations),
            std::move(graph_.problem),
            last_vector_,
            set_bias_,
            first_weight_,
            last_weight_,
            first_image_,
            last_image_};
  }

 private:
  // The register operation that brings a coefficient to the head of rw: a load where a word starts, else a shift.
  int weight_operation() {
    const bool load = word_ < word_starts_.size() && word_starts_[word_] == position_;
    const int operation = load ? load_weights() : add({.kind = Kind::shift_weights, .field = Field::wreg}, {}, "sh rw");
    if (!load && last_weight_ >= 0) graph_.depend(last_weight_, operation, 1);
    if (first_weight_ < 0) first_weight_ = operation;
    after_last_vector(operation);
    return last_weight_ = operation;
  }

  int load_weights() {
    const int word = static_cast<int>(word_++);
    const int load = add({.kind = Kind::set_weights, .field = Field::wreg, .word = word}, {{port_a_output, 0}},
                         fmt::format("set rw w{}", word));
    const int read = add({.kind = Kind::read_coefficients, .field = Field::mema, .word = word}, {},
                         fmt::format("rd coefficients {}", word));
    graph_.depend(read, load, machine_.read_to_set);
    return load;
  }

  // An operation of the coefficient at hand.
  int add(LoopOperation operation, std::vector<schedule::ResourceUse> uses, std::string name) {
    operation.map = 0;
    operation.ordinal = order_[static_cast<std::size_t>(position_)];
    operation.position = position_;
    return graph_.add(operation, std::move(uses), std::move(name));
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
    const int weight = weight_operation();
    set_bias_ = add({.kind = Kind::set_bias, .field = Field::vmac}, {}, "set rb");
    vector_follows(set_bias_, {weight});
  }

  // The `row`-th row of a phase: of the kernel, if columns are in image order.
  void mac(int input, int column, int phase, int row) {
    ++position_;
    // Listing set rw before set ri gives set rw the later cycle when both want port A, as in the thesis's Fig. 16.
    std::vector<int> registers{weight_operation()};
    for (int operation : image_operations(input, column, phase, row)) registers.push_back(operation);
    const int vector = add({.kind = Kind::mac, .field = Field::vmac, .input = input, .column = column}, {}, "mac");
    if (position_ == 1) graph_.depend(last_vector_, vector, 1);
    vector_follows(vector, registers);
  }

  std::vector<int> image_operations(int input, int column, int phase, int row) {
    if (row == 0) return column_loads(input, column, phase);
    std::vector<int> shifts;
    for (int i = 0; i < window_.dilation_height; ++i)
      shifts.push_back(
          shift_image(input, column, phase, row == 1 && i == 0 && layout_.needs_extension(column_.span(phase))));
    return shifts;
  }

  int shift_image(int input, int column, int phase, bool load) {
    const LoopOperation operation{.kind = load ? Kind::set_shift_image : Kind::shift_image,
                                  .field = Field::ireg,
                                  .input = input,
                                  .column = column};
    int shift;
    if (load) {
      std::vector<schedule::ResourceUse> uses;
      if (!machine_.has_port_b()) uses.push_back({port_a_output, 0});
      shift = add(operation, uses, "setsh ri");
      read_pixels(shift, input, column, column_.first_word(phase) + layout_.base_words);
    } else {
      shift = add(operation, {}, "sh ri");
    }
    for (int before : last_image_) graph_.depend(before, shift, 1);
    after_last_vector(shift);
    last_image_ = {shift};
    return shift;
  }

  // The loads of a new column, last group first: the group that is listed first gets the latest cycle.
  std::vector<int> column_loads(int input, int column, int phase) {
    std::vector<int> loads;
    for (int group = layout_.groups() - 1; group >= 0; --group) {
      const int load =
          add({.kind = Kind::set_image, .field = Field::ireg, .input = input, .column = column, .group = group},
              {{port_a_output, 0}}, fmt::format("set ri {}", group));
      // The lower half of the vector takes whatever port A shows where only the upper half is used.
      for (int i = window_.half_vector ? 1 : 0; i < layout_.words_per_set; ++i) {
        const int word = group * layout_.words_per_set + i;
        if (word < layout_.base_words) read_pixels(load, input, column, column_.first_word(phase) + word);
      }
      if (position_ > 1 || !pixels_beside_bias_) after_last_vector(load);
      loads.push_back(load);
    }
    if (first_image_.empty()) first_image_ = loads;
    return last_image_ = loads;
  }

  void read_pixels(int load, int input, int column, int word) {
    const Field field = column_.port(word) == 0 ? Field::mema : Field::memb;
    const int read = add({.kind = Kind::read_pixels, .field = field, .input = input, .column = column, .word = word},
                         {}, fmt::format("rd s{}.{} word {}", input, column, word));
    graph_.depend(read, load, machine_.read_to_set);
  }

  const Window& window_;
  int connections_;
  const std::vector<int>& word_starts_;
  const SchedulingMachine& machine_;
  const bool pixels_beside_bias_;
  StoredColumn column_;
  const RegisterLayout& layout_;
  std::vector<int> order_;
  Loop graph_;
  int position_ = 0;
  std::size_t word_ = 0;
  int set_bias_ = -1, first_weight_ = -1, last_weight_ = -1, last_vector_ = -1;
  std::vector<int> first_image_, last_image_;
};

}  // namespace

Body build_body(const Window& window, int connections, const std::vector<int>& word_starts,
                const SchedulingMachine& machine, bool pixels_beside_bias) {
  assert(window.column(machine).largest_span() <= window.column(machine).registers().max_kernel_height());
  assert(connections > 0);
  return BodyBuilder(window, connections, word_starts, machine, pixels_beside_bias).build();
}

}  // namespace convscope::nve
