#include "core/nve/passes/looped_body.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "core/nve/passes/insert_writes.h"

namespace convscope::nve {
namespace {

using Kind = LoopOperationKind;

/// A vector operation, and the registers that must be made ready for it.
struct VectorStep {
  LoopOperation vector;
  std::vector<LoopOperation> image;   ///< in their order
  std::optional<LoopOperation> word;  ///< of coefficients, that begins with what the operation takes; else a shift
};

/// What a head or a pass has to do, in order.
class StepList {
 public:
  StepList(const LoopedShape& shape, const Window& window, const SchedulingMachine& machine)
      : shape_(shape),
        window_(window),
        machine_(machine),
        sizes_(shape, window, machine),
        column_(window.column(machine)) {}

  std::vector<VectorStep> make(bool head) {
    stretch_ = head ? 0 : 1;
    std::vector<VectorStep> steps;
    for (int row = 0; row < sizes_.rows; ++row)
      for (int map = 0; map < shape_.maps; ++map) {
        const bool with_bias = head && row == 0;
        if (with_bias) steps.push_back({operation(Kind::set_bias, Field::vmac, map), {}, {}});
        steps.push_back({operation(Kind::mac, Field::vmac, map), {}, {}});
        steps.back().vector.unit = row / window_.kernel_height;
        if (map == 0) steps[steps.size() - (with_bias ? 2U : 1U)].image = image(row);
      }
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i].vector.position = static_cast<int>(i);
    words(steps, head);
    return steps;
  }

 private:
  LoopOperation operation(Kind kind, Field field, int map = -1) const {
    LoopOperation result;
    result.kind = kind;
    result.field = field;
    result.map = map;
    result.stretch = stretch_;
    return result;
  }

  // A new vector where a unit or a phase of it begins, else shifts.
  std::vector<LoopOperation> image(int row) const {
    const int unit = row / window_.kernel_height;
    int phase = 0, in_phase = row % window_.kernel_height;
    while (in_phase >= column_.kernel_rows(phase)) in_phase -= column_.kernel_rows(phase++);
    std::vector<LoopOperation> result;
    const RegisterLayout& registers = column_.registers();
    if (in_phase == 0) {
      for (int group = 0; group < registers.groups(); ++group) {
        result.push_back(operation(Kind::set_image, Field::ireg));
        result.back().group = group;
        result.back().word = column_.first_word(phase) + group * registers.words_per_set;
      }
    } else {
      for (int shift = 0; shift < window_.dilation_height; ++shift)
        result.push_back(operation(Kind::shift_image, Field::ireg));
      if (in_phase == 1 && registers.needs_extension(column_.span(phase))) {
        result.front().kind = Kind::set_shift_image;
        result.front().word = column_.first_word(phase) + registers.base_words;
      }
    }
    for (LoopOperation& each : result) each.unit = unit;
    return result;
  }

  void words(std::vector<VectorStep>& steps, bool head) const {
    const int per_word = machine_.coefficients_per_set(), own = head ? shape_.maps : 0;
    const auto begin = [&](int position, int word, bool resident) {
      LoopOperation set = operation(Kind::set_weights, Field::wreg);
      set.word = word;
      set.column = resident ? 1 : 0;
      steps[static_cast<std::size_t>(position)].word = set;
    };
    for (int word = 0; word < sizes_.ordered_words; ++word)
      begin(sizes_.last_lead + word * per_word + (word >= shape_.lead / per_word ? own : 0), word, false);
    for (int word = 0; head && word < sizes_.resident_words; ++word) begin(shape_.lead + word * per_word, word, true);
  }

  const LoopedShape& shape_;
  const Window& window_;
  const SchedulingMachine& machine_;
  LoopedSizes sizes_;
  StoredColumn column_;
  int stretch_ = 0;
};

/// Gives each operation its cycle.
class StretchPlacer {
 public:
  StretchPlacer(const Window& window, const SchedulingMachine& machine)
      : machine_(machine), registers_(window.column(machine).registers()) {}

  LoopedStretch place(const std::vector<VectorStep>& steps) {
    stretch_ = {};
    std::int64_t before = -1;
    for (std::size_t i = 0; i < steps.size(); ++i) before = place(steps[i], before, i == 0);
    stretch_.length = static_cast<int>(before) + 1;
    return std::move(stretch_);
  }

 private:
  void add(const LoopOperation& operation, std::int64_t cycle) {
    stretch_.operations.push_back(operation);
    stretch_.cycles.push_back(cycle);
  }

  bool takes_port_a(const LoopOperation& image) const {
    return image.kind == Kind::set_image || (image.kind == Kind::set_shift_image && !machine_.has_port_b());
  }

  std::int64_t place(const VectorStep& step, std::int64_t before, bool first) {
    const std::int64_t window = before - machine_.set_to_use + 1;  // registers are free from here on
    const auto images = static_cast<std::int64_t>(step.image.size());
    for (std::int64_t at = std::max(before + 1, window + images - 1 + machine_.set_to_use);; ++at) {
      const std::int64_t ready = at - machine_.set_to_use, first_image = ready - images + 1;
      // What is read ahead must be alike in head and pass: the first vector, and ordered words.
      if (!first && reads(step.image) && first_image < machine_.read_to_set) continue;
      std::int64_t weight = ready;
      if (step.word)
        while (weight >= window && weight >= first_image &&
               takes_port_a(step.image[static_cast<std::size_t>(weight - first_image)]))
          --weight;
      if (weight < window) continue;
      if (step.word && step.word->column == 1 && weight < machine_.read_to_set) continue;
      for (std::size_t i = 0; i < step.image.size(); ++i)
        add_image(step.image[i], first_image + static_cast<std::int64_t>(i));
      add_weight(step, weight);
      add(step.vector, at);
      return at;
    }
  }

  static bool reads(const std::vector<LoopOperation>& image) {
    return std::any_of(image.begin(), image.end(), [](const LoopOperation& each) { return each.word >= 0; });
  }

  void add_read(const LoopOperation& from, Kind kind, Field field, int word, std::int64_t cycle) {
    LoopOperation read = from;
    read.kind = kind;
    read.field = field;
    read.word = word;
    read.group = -1;
    add(read, cycle - machine_.read_to_set);
  }

  void add_image(const LoopOperation& image, std::int64_t cycle) {
    if (image.kind == Kind::set_image) {
      add_read(image, Kind::read_pixels, Field::mema, image.word, cycle);
      const int second = image.group * registers_.words_per_set + 1;
      if (registers_.words_per_set == 2 && second < registers_.base_words)
        add_read(image, Kind::read_pixels, Field::memb, image.word + 1, cycle);
    }
    if (image.kind == Kind::set_shift_image)
      add_read(image, Kind::read_pixels, machine_.has_port_b() ? Field::memb : Field::mema, image.word, cycle);
    add(image, cycle);
  }

  void add_weight(const VectorStep& step, std::int64_t cycle) {
    if (step.word) {
      add_read(*step.word, Kind::read_coefficients, Field::mema, step.word->word, cycle);
      return add(*step.word, cycle);
    }
    LoopOperation shift;
    shift.kind = Kind::shift_weights;
    shift.field = Field::wreg;
    shift.position = step.vector.position;
    shift.stretch = step.vector.stretch;
    add(shift, cycle);
  }

  const SchedulingMachine& machine_;
  RegisterLayout registers_;
  LoopedStretch stretch_;
};

using Mark = std::tuple<std::int64_t, int, int, int, int, int>;

// What the stretch before executes; equal sets are alike for the machine.
std::set<Mark> read_ahead(const LoopedStretch& stretch) {
  std::set<Mark> marks;
  for (std::size_t i = 0; i < stretch.operations.size(); ++i) {
    const LoopOperation& o = stretch.operations[i];
    if (stretch.cycles[i] < 0)
      marks.insert({stretch.cycles[i], static_cast<int>(o.kind), static_cast<int>(o.field), o.unit, o.word, o.group});
  }
  return marks;
}

int first_cycle(const LoopedStretch& stretch) {
  return static_cast<int>(*std::min_element(stretch.cycles.begin(), stretch.cycles.end()));
}

int first_vector(const LoopedStretch& stretch) {
  std::size_t i = 0;
  while (stretch.operations[i].field != Field::vmac) ++i;
  return static_cast<int>(stretch.cycles[i]);
}

/// ACTs of the vectors that the iteration before has summed up, behind the operations that move them out.
void add_activations(LoopedStretch& head, const SchedulingMachine& machine) {
  for (std::size_t i = 0, count = head.operations.size(); i < count; ++i) {
    if (head.operations[i].kind != Kind::set_bias) continue;
    for (const int half : {0, 1}) {
      LoopOperation activate;
      activate.kind = Kind::activate;
      activate.field = Field::act;
      activate.map = head.operations[i].map;
      activate.half = half;
      activate.stretch = 0;
      head.operations.push_back(activate);
      head.cycles.push_back(head.cycles[i] + machine.output_latency + half);
      head.length = std::max(head.length, static_cast<int>(head.cycles.back()) + 1);
    }
  }
}

std::vector<LoopOperation> writes_of(const LoopedShape& shape, const LoopedSizes& sizes,
                                     const SchedulingMachine& machine, int of_stretch) {
  std::vector<LoopOperation> writes;
  LoopOperation write;
  write.kind = Kind::write_pixels;
  write.field = write_field(machine);
  write.stretch = of_stretch;
  for (write.unit = 0; write.unit < shape.units; ++write.unit)
    for (write.word = 0; write.word < sizes.column_words; ++write.word) writes.push_back(write);
  write.unit = -1;
  for (write.word = 0; write.word < sizes.ordered_words; ++write.word) writes.push_back(write);
  return writes;
}

// Into the slots that reads leave, of which there must be enough: the stretch waits at its end for more.
void add_writes(LoopedStretch& stretch, const LoopedStretch& next, const std::vector<LoopOperation>& writes,
                const SchedulingMachine& machine) {
  std::set<std::int64_t> taken;
  std::int64_t ahead = 0;
  const bool shared = write_field(machine) == Field::mema;
  for (std::size_t i = 0; shared && i < stretch.operations.size(); ++i)
    if (stretch.operations[i].field == Field::mema && stretch.cycles[i] >= 0) taken.insert(stretch.cycles[i]);
  for (std::size_t i = 0; shared && i < next.operations.size(); ++i)
    ahead += next.operations[i].field == Field::mema && next.cycles[i] < 0;
  const auto needed = static_cast<std::int64_t>(taken.size() + writes.size()) + ahead;
  stretch.length = std::max(stretch.length, static_cast<int>(needed));
  for (std::size_t i = 0; shared && i < next.operations.size(); ++i)
    if (next.operations[i].field == Field::mema && next.cycles[i] < 0) taken.insert(stretch.length + next.cycles[i]);
  std::int64_t cycle = 0;
  for (const LoopOperation& write : writes) {
    while (taken.contains(cycle)) ++cycle;
    stretch.operations.push_back(write);
    stretch.cycles.push_back(cycle++);
  }
}

}  // namespace

LoopedSizes::LoopedSizes(const LoopedShape& shape, const Window& window, const SchedulingMachine& machine)
    : rows(shape.units * window.kernel_height),
      passes((shape.inputs * window.kernel_width + shape.units - 1) / shape.units),
      column_words(window.column(machine).words()),
      ordered_words(rows * shape.maps / machine.coefficients_per_set()),
      resident_words((shape.maps + machine.coefficients_per_set() - 1) / machine.coefficients_per_set()),
      last_lead(shape.lead % machine.coefficients_per_set()) {}

std::optional<LoopedBody> place_looped(const LoopedShape& shape, const Window& window,
                                       const SchedulingMachine& machine) {
  const LoopedSizes sizes(shape, window, machine);
  const int per_word = machine.coefficients_per_set();
  if (sizes.rows * shape.maps % per_word != 0 || sizes.last_lead == 0) return std::nullopt;
  if (shape.lead / per_word >= sizes.ordered_words) return std::nullopt;
  StepList list(shape, window, machine);
  StretchPlacer placer(window, machine);
  LoopedBody body{placer.place(list.make(true)), placer.place(list.make(false)), 0, 0};
  if (read_ahead(body.head) != read_ahead(body.pass)) return std::nullopt;
  body.ahead = -first_cycle(body.head);
  body.first = first_vector(body.head);
  add_activations(body.head, machine);
  for (LoopedStretch* const stretch : {&body.head, &body.pass}) {
    const int before = stretch->length;
    stretch->length = std::max(before, body.ahead + machine.write_to_read);
    add_writes(*stretch, body.pass, writes_of(shape, sizes, machine, stretch == &body.pass ? 1 : 0), machine);
  }
  return body;
}

}  // namespace convscope::nve
