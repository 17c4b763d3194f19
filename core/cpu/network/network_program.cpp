#include "core/cpu/network/network_program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "core/cpu/generate/generate.h"
#include "core/cpu/network/join_layouts.h"
#include "core/cpu/network/plain_code.h"
#include "core/cpu/run/packing.h"
#include "core/cpu/tree/plan.h"

namespace convscope::cpu {
namespace {

constexpr std::array<const char*, 6> orders{"HWC", "CHW", "WHC", "HCW", "WCH", "CWH"};
constexpr std::size_t in_order_of_channels = 1;  // CHW

/// Taps of a plain sum that errs as much.
std::int64_t taps_of(const Problem& p, const KernelTransform& transform) {
  const double taps = static_cast<double>(p.kernel_height) * p.kernel_width * p.group_channels();
  return std::llround(taps * transform.error_growth * transform.error_growth);
}

Layout layout_of(std::size_t value) {
  return Layout{orders[value]};
}

/// Its tensors are C H W, as the graph has them.
bool in_graph_order(const Step& step) {
  return step.kind == StepKind::reshape || step.kind == StepKind::movement;
}

/// Layouts as variables, one for each tensor of the flow.
class Joining {
 public:
  Joining(const Flow& flow, const std::vector<std::vector<ProgramChoice>>& choices, const CpuMachine& machine)
      : flow_(flow), choices_(choices), machine_(machine) {
    problem_.variables = flow.tensors.size();
    problem_.values = orders.size();
    problem_.own.assign(problem_.variables, std::vector<double>(orders.size(), 0));
  }

  Joined run() {
    for (const int input : flow_.inputs) only_order_of_channels(input);
    for (std::size_t i = 0; i < flow_.steps.size(); ++i) add(i);
    return join(problem_);
  }

  /// Of the programs that give this output, the one that is best with this image.
  const ProgramChoice* best(std::size_t step, std::size_t image, std::size_t output, double& seconds) const {
    const Step& s = flow_.steps[step];
    const Extents& in = extents(s.inputs.front());
    const ProgramChoice* found = nullptr;
    seconds = infinite;
    for (const ProgramChoice& choice : choices_[step]) {
      if (!same_places(choice.output, layout_of(output), extents(s.output))) continue;
      const double cost = choice.seconds + conversion_seconds(layout_of(image), choice.image, in, machine_);
      if (cost < seconds) seconds = cost, found = &choice;
    }
    return found;
  }

 private:
  const Extents& extents(int tensor) const { return flow_.tensors[static_cast<std::size_t>(tensor)].extents; }

  void only_order_of_channels(int tensor) {
    for (std::size_t value = 0; value < orders.size(); ++value)
      if (!same_places(layout_of(value), layout_of(in_order_of_channels), extents(tensor)))
        problem_.own[static_cast<std::size_t>(tensor)][value] = infinite;
  }

  template <typename Cost>
  void add_pair(int first, int second, const Cost& cost) {
    JoinProblem::Pair pair{static_cast<std::size_t>(first), static_cast<std::size_t>(second), {}};
    for (std::size_t a = 0; a < orders.size(); ++a)
      for (std::size_t b = 0; b < orders.size(); ++b) pair.cost.push_back(cost(a, b));
    problem_.pairs.push_back(std::move(pair));
  }

  void add(std::size_t index) {
    const Step& step = flow_.steps[index];
    if (in_graph_order(step)) only_order_of_channels(step.output);
    for (const int input : step.inputs) {
      add_pair(input, step.output, [&](std::size_t a, std::size_t b) {
        double seconds = 0;
        if (step.kind == StepKind::convolution)
          best(index, a, b, seconds);
        else if (in_graph_order(step))
          seconds = conversion_seconds(layout_of(a), layout_of(in_order_of_channels), extents(input), machine_);
        else
          seconds = conversion_seconds(layout_of(a), layout_of(b), extents(input), machine_);
        return seconds;
      });
    }
  }

  const Flow& flow_;
  const std::vector<std::vector<ProgramChoice>>& choices_;
  const CpuMachine& machine_;
  JoinProblem problem_;
};

std::string what_of(StepKind kind) {
  constexpr std::array names{"convolution",  "elements", "add",     "subtract", "multiply", "divide",  "max pool",
                             "average pool", "concat",   "softmax", "LRN",      "reshape",  "movement"};
  return names[static_cast<std::size_t>(kind)];
}

class Assembler {
 public:
  Assembler(const Flow& flow, const std::vector<std::vector<ProgramChoice>>& choices, const TensorValues& values,
            const Machine& machine, Diagnostics& diagnostics)
      : flow_(flow),
        values_(values),
        family_(machine.family),
        diagnostics_(diagnostics),
        joining_(flow, choices, machine) {}

  std::optional<NetworkProgram> run() {
    joined_ = joining_.run();
    program_.planned_seconds = joined_.cost;
    program_.optimal = joined_.optimal;
    for (std::size_t tensor = 0; tensor < flow_.tensors.size(); ++tensor)
      program_.buffers.push_back({flow_.tensors[tensor].extents, stored(layout_of(joined_.value[tensor]))});
    program_.plain = stored_type(flow_.stored, family_);
    for (const int input : flow_.inputs) fill(input);
    for (const int constant : flow_.constants) fill(constant);
    for (std::size_t i = 0; i < flow_.steps.size(); ++i)
      if (!(flow_.steps[i].kind == StepKind::convolution ? convolution(i) : plain(i))) return std::nullopt;
    return std::move(program_);
  }

 private:
  const Extents& extents(int tensor) const { return flow_.tensors[static_cast<std::size_t>(tensor)].extents; }
  NetworkProgram::Buffer& buffer(int index) { return program_.buffers[static_cast<std::size_t>(index)]; }

  void fill(int input) {
    const TensorValue& value = values_.at(flow_.tensors[static_cast<std::size_t>(input)].tensor);
    buffer(input).contents =
        packed_bytes(rows_columns_channels(value, extents(input)).data(), buffer(input).layout, extents(input));
  }

  Layout stored(Layout layout) const {
    layout.storage = flow_.stored;
    return layout;
  }

  static std::vector<std::byte> packed_kernel(const std::vector<float>& plain, const Generated& made,
                                              const Problem& problem) {
    std::vector<float> values(static_cast<std::size_t>(elements(made.kernel, made.kernel_extents(problem))));
    pack_kernel(plain.data(), made.transform, made.kernel, problem, values.data());
    return flyte::encoded(values, made.kernel.storage);
  }

  int new_buffer(NetworkProgram::Buffer made) {
    program_.buffers.push_back(std::move(made));
    return static_cast<int>(program_.buffers.size()) - 1;
  }

  std::string new_symbol() const { return fmt::format("step_{}", program_.steps.size()); }

  /// The tensor's buffer, or one that has it in another layout: made once.
  int in_layout(int tensor, const Layout& layout, const std::string& for_whom, int layer) {
    if (same_places(buffer(tensor).layout, layout, extents(tensor))) return tensor;
    const auto key = std::pair(tensor, text(layout));
    if (const auto known = converted_.find(key); known != converted_.end()) return known->second;
    const Layout from = buffer(tensor).layout;
    const int to = new_buffer({extents(tensor), layout});
    NetworkProgram::Step step;
    step.name = for_whom;
    step.what = fmt::format("conversion {} to {}", text(from), text(layout));
    step.layer = layer;
    step.symbol = new_symbol();
    step.inputs = {tensor};
    step.output = to;
    step.conversion = true;
    program_.plain += conversion_code(from, {step.symbol, {}, extents(tensor), layout});
    program_.steps.push_back(std::move(step));
    converted_[key] = to;
    return to;
  }

  /// Index of the program, -1 if the path has none.
  int generated(const Problem& problem, const ProgramChoice& choice) {
    const auto key = std::pair(text(problem), json(choice.path) + choice.compiler + choice.flags);
    if (const auto known = programs_.find(key); known != programs_.end()) return known->second;
    auto program = generate(problem, choice.path, diagnostics_);
    if (!program) return -1;
    program_.convolutions.push_back({std::move(program->text), choice.compiler, choice.flags});
    return programs_[key] = static_cast<int>(program_.convolutions.size()) - 1;
  }

  bool convolution(std::size_t index) {
    const Step& flow = flow_.steps[index];
    double seconds = 0;
    const int image = flow.inputs.front();
    const ProgramChoice* choice = joining_.best(index, joined_.value[static_cast<std::size_t>(image)],
                                                joined_.value[static_cast<std::size_t>(flow.output)], seconds);
    if (choice == nullptr) {
      diagnostics_.error({{}, 0, flow.name}, "no program is known for " + text(*flow.problem));
      return false;
    }
    NetworkProgram::Step step;
    step.convolution = generated(*flow.problem, *choice);
    if (step.convolution < 0) return false;
    program_.measured += choice->measured ? 1 : 0;
    const Generated& made = program_.convolutions[static_cast<std::size_t>(step.convolution)].text;
    step.name = flow.name;
    step.layer = flow.layer;
    const std::string* tile = choice->path.find("tile");
    step.what = fmt::format("{} {}, {}", *choice->path.find("microkernel"), tile ? *tile : "",
                            choice->measured ? "measured" : "estimated");
    step.symbol = "convolution";
    step.inputs = {in_layout(image, made.image, flow.name, flow.layer),
                   new_buffer({made.kernel_extents(*flow.problem), made.kernel,
                               packed_kernel(flow.coefficients, made, *flow.problem)})};
    step.output = flow.output;
    taps_ += taps_of(*flow.problem, made.transform);
    finish(flow, std::move(step), flow.after.empty());
    return flow.after.empty() || behind(flow);
  }

  /// Bias and activation, in place.
  bool behind(const Step& flow) {
    NetworkProgram::Step step;
    step.name = flow.name;
    step.what = "bias and activation";
    step.layer = flow.layer;
    step.symbol = new_symbol();
    step.inputs = {flow.output};
    program_.plain +=
        after_code(flow, {step.symbol, {extents(flow.output)}, extents(flow.output), buffer(flow.output).layout});
    add_constants(flow, step);
    finish(flow, std::move(step), true);
    return true;
  }

  bool plain(std::size_t index) {
    const Step& flow = flow_.steps[index];
    const Layout layout = in_graph_order(flow) ? stored(layout_of(in_order_of_channels)) : buffer(flow.output).layout;
    NetworkProgram::Step step;
    std::vector<Extents> inputs;
    for (const int input : flow.inputs) {
      step.inputs.push_back(in_layout(input, layout, flow.name, flow.layer));
      inputs.push_back(extents(input));
    }
    step.name = flow.name;
    step.what = what_of(flow.kind);
    step.layer = flow.layer;
    step.symbol = new_symbol();
    program_.plain += step_code(flow, {step.symbol, std::move(inputs), flow.as.value_or(extents(flow.output)), layout});
    add_constants(flow, step);
    finish(flow, std::move(step), true);
    return true;
  }

  void add_constants(const Step& flow, NetworkProgram::Step& step) {
    for (const ElementOperation& operation : flow.after) {
      if (operation.values.empty()) continue;
      const int count = static_cast<int>(operation.values.size());
      step.inputs.push_back(new_buffer({{{{'C', count}}}, Layout{"C"}, flyte::encoded(operation.values, {})}));
    }
  }

  void finish(const Step& flow, NetworkProgram::Step step, bool complete) {
    step.output = flow.output;
    step.tensor = complete ? flow.output : -1;
    step.taps = taps_;
    program_.steps.push_back(std::move(step));
  }

  const Flow& flow_;
  const TensorValues& values_;
  const Family family_;
  Diagnostics& diagnostics_;
  Joining joining_;
  Joined joined_;
  NetworkProgram program_;
  std::map<std::pair<int, std::string>, int> converted_;
  std::map<std::pair<std::string, std::string>, int> programs_;
  std::int64_t taps_ = 0;
};

}  // namespace

double conversion_seconds(const Layout& from, const Layout& to, const Extents& extents, const CpuMachine& machine) {
  constexpr double cycles = 2;
  if (same_places(from, to, extents)) return 0;
  return cycles * static_cast<double>(elements(to, extents)) / machine.clock_hz;
}

std::optional<NetworkProgram> assemble(const Flow& flow, const std::vector<std::vector<ProgramChoice>>& choices,
                                       const TensorValues& values, const Machine& machine, Diagnostics& diagnostics) {
  return Assembler(flow, choices, values, machine, diagnostics).run();
}

}  // namespace convscope::cpu
