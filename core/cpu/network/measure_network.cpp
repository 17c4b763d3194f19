#include "core/cpu/network/measure_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/cancellation.h"
#include "core/base/child_process.h"
#include "core/base/file_descriptor.h"
#include "core/cpu/network/seeded_run.h"
#include "core/cpu/run/packing.h"
#include "core/cpu/search/compilers.h"
#include "core/quantization/error.h"
#include "core/quantization/own_scales.h"
#include "core/quantization/stored_weights.h"

namespace convscope::cpu {
namespace {

constexpr std::int64_t alignment = 64;
constexpr std::uint64_t memory = std::uint64_t{1} << 30;

/// What stands behind the request in the child's stdin.
class Contents {
 public:
  /// Bytes from the beginning.
  template <typename Value>
  std::int64_t add(const std::vector<Value>& values) {
    const auto at = static_cast<std::int64_t>(bytes_.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
    bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment);
    return at;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

struct Expected {
  std::vector<float> values;
  double bound = 0, largest = 0;
};

std::vector<float> packed_values(const TensorValue& value, const NetworkProgram::Buffer& buffer) {
  const std::vector<float> plain = rows_columns_channels(value, buffer.extents);
  std::vector<float> packed(static_cast<std::size_t>(elements(buffer.layout, buffer.extents)));
  pack(plain.data(), buffer.layout, buffer.extents, packed.data());
  return packed;
}

Expected expected(const TensorValue& value, const NetworkProgram::Buffer& buffer, std::int64_t taps) {
  Expected result;
  double squares = 0;
  double& largest = result.largest;
  for (const float each : value.values) {
    squares += static_cast<double>(each) * each;
    largest = std::max(largest, std::abs(static_cast<double>(each)));
  }
  const double rms = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, value.values.size())));
  constexpr double eps = std::numeric_limits<float>::epsilon();
  result.bound = 16 * eps * (std::sqrt(static_cast<double>(taps)) * rms + largest);
  result.values = packed_values(value, buffer);
  return result;
}

/// The largest that is added by the operations behind a step, as it comes out.
double largest_offset(const Step& step) {
  double offset = 0;
  for (const ElementOperation& operation : step.after) {
    double largest = 0;
    for (const float value : operation.values) largest = std::max(largest, std::abs(static_cast<double>(value)));
    if (operation.kind == ElementOperation::Kind::add) offset += largest;
    if (operation.kind == ElementOperation::Kind::multiply) offset *= largest;
  }
  return offset;
}

const Step* maker(const Flow& flow, int tensor) {
  const auto made =
      std::find_if(flow.steps.begin(), flow.steps.end(), [&](const Step& step) { return step.output == tensor; });
  return made == flow.steps.end() ? nullptr : &*made;
}

/// What the inputs' errors alone may do to a tensor whose own values don't tell how large those were. `bounds` are
/// those of tensors so far.
double inherited_bound(const Step& step, const std::map<int, double>& bounds, double largest) {
  double most = 0, sum = 0;
  for (const int input : step.inputs) {
    const auto found = bounds.find(input);
    if (found == bounds.end()) continue;
    most = std::max(most, found->second);
    sum += found->second;
  }
  if (step.kind == StepKind::softmax) return (step.logarithm ? 2 : largest) * most;
  if (step.kind == StepKind::movement || step.kind == StepKind::reshape) return most;
  return step.kind == StepKind::subtract && step.after.empty() ? sum : 0;
}

/// What rounding alone may do to a step's values: what is stored may be the next number, and before the operations
/// behind a step its values are stored once already.
double storing_bound(const Flow& flow, int tensor, double largest) {
  const Step* made = maker(flow, tensor);
  const double offset = made == nullptr ? 0 : largest_offset(*made);
  return 4 * flyte::largest_relative_error(flow.stored) * (largest + offset);
}

/// Rounds coefficients and the flow's tensors, as they are stored.
reference::ValueHook storing(const network::Graph& graph, const Flow& flow, const flyte::Storage& weights) {
  std::vector<bool> stored(graph.tensors.size(), false);
  for (const FlowTensor& tensor : flow.tensors) stored[static_cast<std::size_t>(tensor.tensor)] = true;
  return [stored = std::move(stored), activations = flow.stored, coefficients = quantization::storing(graph, weights)](
             int tensor, reference::FloatTensor& value) {
    coefficients(tensor, value);
    if (!stored[static_cast<std::size_t>(tensor)]) return;
    for (double& each : value.values) each = static_cast<double>(flyte::rounded(static_cast<float>(each), activations));
  };
}

/// What a tensor was before softmax and reshapes made it what it is.
int logits_of(const Flow& flow, int tensor) {
  for (auto step = flow.steps.rbegin(); step != flow.steps.rend(); ++step)
    if (step->output == tensor && (step->kind == StepKind::softmax || step->kind == StepKind::reshape) &&
        step->after.empty())
      tensor = step->inputs.front();
  return tensor;
}

std::vector<OutputError> output_errors(const Flow& flow, const TensorValues& values, const NetworkRunAnswer& answer) {
  std::vector<OutputError> errors;
  for (std::size_t i = 0; i < flow.outputs.size() && i < answer.outputs.size(); ++i) {
    const FlowTensor& tensor = flow.tensors[static_cast<std::size_t>(logits_of(flow, flow.outputs[i]))];
    const NetworkRunAnswer::Output& found = answer.outputs[i];
    OutputError error{tensor.name, found.error};
    error.signal = found.signal, error.noise = found.noise;
    for (const float value : values.at(tensor.tensor).values)
      error.largest = std::max(error.largest, std::abs(static_cast<double>(value)));
    error.sqnr = quantization::Error{.signal = found.signal, .noise = found.noise}.sqnr();
    error.same_largest = found.same_largest;
    errors.push_back(std::move(error));
  }
  return errors;
}

/// Bytes as a file of its own that a child can map.
FileDescriptor file_of(const std::string& request, const std::string& contents) {
  FileDescriptor file(memfd_create("convscope-network", MFD_CLOEXEC));
  const auto write_all = [&](const std::string& bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t written = write(file.get(), bytes.data() + done, bytes.size() - done);
      if (written <= 0) return false;
      done += static_cast<std::size_t>(written);
    }
    return true;
  };
  const std::string gap((alignment - request.size() % alignment) % alignment, '\0');
  if (file && write_all(request) && write_all(gap) && write_all(contents)) return file;
  return FileDescriptor();
}

class Whole {
 public:
  Whole(const network::Network& network, const Machine& machine, const Availability& availability,
        const NetworkMeasureOptions& options, const std::stop_token& stop, Diagnostics& diagnostics)
      : network_(network),
        machine_(machine),
        availability_(availability),
        options_(options),
        stop_(stop),
        diagnostics_(diagnostics) {}

  std::optional<NetworkTimes> run(const Store& store, const std::string& host) {
    if (!network_.graph) return refuse("its format has no operators and how they are joined", "a graph, such as ONNX");
    network::Network filled = quantization::in_real_numbers(network_, diagnostics_);
    filled.graph = std::make_shared<network::Graph>(with_coefficients(*filled.graph, options_.seed));
    const Ends ends = without_what_the_reference_lacks(filled);
    const network::Graph computed = ends.rest();
    const auto values = seeded_run(computed, options_.seed, stop_, diagnostics_);
    auto flow = values ? flow_of(filled, *values, ends, diagnostics_) : std::nullopt;
    if (!flow) return std::nullopt;
    store_as(*flow, machine_.activations, machine_.weights);
    const auto stored = values_as_stored(computed, *flow, *values);
    if (!stored) return std::nullopt;
    std::map<std::string, std::vector<ProgramChoice>> known;
    std::vector<std::vector<ProgramChoice>> choices;
    for (const Step& step : flow->steps) {
      throw_if_stopped(stop_);
      choices.emplace_back();
      if (!step.problem) continue;
      const auto [found, fresh] = known.try_emplace(text(*step.problem));
      if (fresh) found->second = choices_of(*step.problem, store, host, machine_);
      choices.back() = found->second;
    }
    auto program = assemble(*flow, choices, *values, machine_, diagnostics_);
    if (!program) return std::nullopt;
    auto times = measured(*std::move(program), *flow, *values, *stored);
    if (times && !other_inputs(computed, *flow, *times)) return std::nullopt;
    if (times)
      for (NetworkProgram::Buffer& buffer : times->program.buffers) buffer.contents.clear();
    return times;
  }

 private:
  // What can't be left out is told by the run of the reference.
  static Ends without_what_the_reference_lacks(const network::Network& network) {
    Ends ends(network);
    for (std::size_t i = 0; i < network.graph->nodes.size(); ++i)
      if (!ends.is_left_out(i) && !reference::can_execute(*network.graph, network.graph->nodes[i]))
        ends.leave_out(i, "neither code nor a reference for this operator");
    return ends;
  }

  bool stores_floats() const { return machine_.activations.complete() && machine_.weights.complete(); }

  std::optional<TensorValues> values_as_stored(const network::Graph& graph, const Flow& flow,
                                               const TensorValues& values) {
    if (stores_floats()) return values;
    return seeded_run(graph, options_.seed, stop_, diagnostics_, storing(graph, flow, machine_.weights));
  }

  std::optional<NetworkTimes> refuse(const std::string& why, const std::string& expected_instead = {}) {
    diagnostics_.error({network_.source_file, 0, {}}, "the network isn't measured as a whole: " + why,
                       expected_instead);
    return std::nullopt;
  }

  std::optional<NetworkTimes> measured(NetworkProgram program, const Flow& flow, const TensorValues& values,
                                       const TensorValues& stored) {
    auto workspace = Workspace::create(diagnostics_);
    if (!workspace) return std::nullopt;
    workspace_.emplace(std::move(*workspace));
    std::vector<std::shared_ptr<const Compiled>> compiled;
    for (const auto& each : program.convolutions)
      if (!compile_as_measured(each, *workspace_, compiled)) return std::nullopt;
    Generated plain;
    plain.source = program.plain;
    plain.family = machine_.family;
    CompileOptions with_loops = options_.compile;
    with_loops.optimization = "-O3";
    with_loops.extra.push_back("-fno-math-errno");
    with_loops.with_libraries = true;
    if (!compile_one(plain, *availability_.toolchain, with_loops, *workspace_, compiled)) return std::nullopt;
    NetworkTimes times;
    for (const Step& step : flow.steps)
      if (step.problem) times.operations += 2 * static_cast<double>(valid_macs(*step.problem));
    times.compiler = compiled.front()->compiler;
    times.flags = compiled.front()->flags;
    times.answer = answer(program, flow, values, &stored, compiled);
    if (!times.answer.whole.ran()) return tell(program, times.answer.whole);
    times.outputs = output_errors(flow, values, times.answer);
    times.left_out = flow.left_out;
    times.program = std::move(program);
    compiled_ = std::move(compiled);
    return times;
  }

  /// Outputs of the same programs for other seeds, all steps one after the other.
  bool other_inputs(const network::Graph& graph, const Flow& flow, NetworkTimes& times) {
    constexpr std::uint64_t apart = std::uint64_t{1} << 32;  // an input's own seed counts on with its number
    for (int i = 1; i < options_.inputs; ++i) {
      throw_if_stopped(stop_);
      const auto values = seeded_run(graph, options_.seed + static_cast<std::uint64_t>(i) * apart, stop_, diagnostics_);
      if (!values) return false;
      for (const int input : flow.inputs) {
        NetworkProgram::Buffer& buffer = times.program.buffers[static_cast<std::size_t>(input)];
        const TensorValue& value = values->at(flow.tensors[static_cast<std::size_t>(input)].tensor);
        buffer.contents =
            packed_bytes(rows_columns_channels(value, buffer.extents).data(), buffer.layout, buffer.extents);
      }
      const NetworkRunAnswer found = answer(times.program, flow, *values, nullptr, compiled_);
      if (!found.whole.ran()) return tell(times.program, found.whole).has_value();
      times.others.push_back(output_errors(flow, *values, found));
    }
    return true;
  }

  std::optional<NetworkTimes> tell(const NetworkProgram& program, const Outcome& outcome) {
    std::string steps;
    for (std::size_t i = 0; i < program.steps.size(); ++i)
      if (outcome.message.starts_with(fmt::format("step {}:", i + 1)))
        steps = fmt::format(" ({}, {})", program.steps[i].name, program.steps[i].what);
    return refuse(fmt::format("{}: {}{}", key(outcome.ending), outcome.message, steps));
  }

  /// By the compiler and with the level of optimization that were fastest, if the compiler is still there.
  bool compile_as_measured(const NetworkProgram::Convolution& convolution, const Workspace& workspace,
                           std::vector<std::shared_ptr<const Compiled>>& compiled) {
    for (const CompilerChoice& choice : compilers_) {
      CompileOptions how = options_.compile;
      how.optimization = choice.optimization;
      if (choice.toolchain.version == convolution.compiler && flags_text(convolution.text, how) == convolution.flags)
        return compile_one(convolution.text, choice.toolchain, how, workspace, compiled);
    }
    return compile_one(convolution.text, *availability_.toolchain, options_.compile, workspace, compiled);
  }

  bool compile_one(const Generated& program, const Toolchain& toolchain, const CompileOptions& options,
                   const Workspace& workspace, std::vector<std::shared_ptr<const Compiled>>& compiled) {
    Outcome failure;
    compiled.push_back(compile(program, toolchain, options, workspace, stop_, failure));
    if (compiled.back()) return true;
    refuse(fmt::format("{}: {}", key(failure.ending), failure.message));
    return false;
  }

  /// Without values that are expected of steps, only outputs are looked at, and next to nothing is timed.
  NetworkRunAnswer answer(const NetworkProgram& program, const Flow& flow, const TensorValues& values,
                          const TensorValues* stored, const std::vector<std::shared_ptr<const Compiled>>& compiled) {
    NetworkRunRequest request;
    Contents contents;
    std::map<int, double> bounds;
    for (const auto& each : compiled) request.libraries.push_back(each->library.string());
    for (const NetworkProgram::Buffer& buffer : program.buffers)
      request.buffers.push_back({elements(buffer.layout, buffer.extents),
                                 buffer.contents.empty() ? -1 : contents.add(buffer.contents), buffer.layout.storage,
                                 readable_behind(buffer.layout)});
    for (const int output : flow.outputs) {
      const int logits = logits_of(flow, output);
      const auto tensor = static_cast<std::size_t>(logits);
      request.outputs.push_back(
          {logits, contents.add(packed_values(values.at(flow.tensors[tensor].tensor), program.buffers[tensor]))});
    }
    request.step_by_step = stored != nullptr && !flow.stored.complete();
    for (const NetworkProgram::Step& step : program.steps) {
      const bool convolution = step.convolution >= 0;
      NetworkRunRequest::Step asked{convolution ? step.convolution : static_cast<int>(compiled.size()) - 1, step.symbol,
                                    convolution, step.inputs, step.output};
      if (step.tensor >= 0 && stored != nullptr) {
        const auto tensor = static_cast<std::size_t>(step.tensor);
        Expected wanted = expected(stored->at(flow.tensors[tensor].tensor), program.buffers[tensor], step.taps + 1);
        wanted.bound += storing_bound(flow, step.tensor, wanted.largest);
        if (const Step* made = maker(flow, step.tensor)) wanted.bound += inherited_bound(*made, bounds, wanted.largest);
        asked.expected = contents.add(wanted.values);
        asked.bound = bounds[step.tensor] = wanted.bound;
      }
      request.steps.push_back(std::move(asked));
    }
    request.family = machine_.family;
    if (stored != nullptr)
      request.sampling = options_.sampling;
    else
      request.sampling = {1, 0, false};
    const double patience = static_cast<double>(network_.macs()) / 1e8;
    const auto wall = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * (30 + 4 * patience)));
    request.cpu_seconds = static_cast<int>(wall.count() / 1000) + 1;
    request.more_bytes = memory;
    return run_in_child(text(request), contents.bytes(), wall);
  }

  NetworkRunAnswer run_in_child(const std::string& request, const std::string& contents,
                                std::chrono::milliseconds wall) {
    NetworkRunAnswer failed;
    const FileDescriptor input = file_of(request, contents);
    failed.whole.message = "no memory for its tensors";
    if (!input) return failed;
    ChildRequest child{{availability_.helper, network_argument(request.size())}, {"LC_ALL=C"}};
    child.limits.wall = wall;
    child.limits.no_files = true;
    child.input = input.get();
    const ChildResult result = run_child(child, stop_);
    if (result.stopped()) throw Cancelled();
    failed.whole.ending = result.end == ChildResult::End::timed_out ? Ending::timeout : Ending::crash;
    failed.whole.message = result.failure;
    return parse_network_answer(result.output).value_or(failed);
  }

  const network::Network& network_;
  const Machine& machine_;
  const Availability& availability_;
  const NetworkMeasureOptions& options_;
  const std::stop_token& stop_;
  Diagnostics& diagnostics_;
  const std::vector<CompilerChoice> compilers_ = compiler_choices();
  std::optional<Workspace> workspace_;  ///< keeps what was compiled
  std::vector<std::shared_ptr<const Compiled>> compiled_;
};

}  // namespace

std::optional<NetworkTimes> measure_whole(const network::Network& network, const Machine& machine, const Store& store,
                                          const std::string& host, const Availability& availability,
                                          const NetworkMeasureOptions& options, const std::stop_token& stop,
                                          Diagnostics& diagnostics) {
  return Whole(network, machine, availability, options, stop, diagnostics).run(store, host);
}

}  // namespace convscope::cpu
