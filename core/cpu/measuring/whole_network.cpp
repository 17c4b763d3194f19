#include "core/cpu/measuring/whole_network.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/cpu/architecture/units.h"
#include "core/cpu/network/measure_network.h"
#include "core/cpu/run/host.h"
#include "core/quantization/error.h"

namespace convscope::cpu {
namespace {

using artifact::Observation;

class Observations {
 public:
  Observations(const NetworkTimes& times, const Host& host)
      : times_(times),
        model_(host.model),
        date_(fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()))) {}

  target::WholeMeasurement run(double operations) const {
    target::WholeMeasurement whole;
    double conversions = 0, convolutions = 0;
    int converted = 0;
    for (std::size_t i = 0; i < times_.program.steps.size(); ++i) {
      const NetworkProgram::Step& step = times_.program.steps[i];
      const double seconds = seconds_of(times_.answer.steps[i].minimum, times_.answer.steps[i].median);
      whole.steps.push_back(
          {step.name, step.what, step.layer, {one("seconds", "time", {seconds, "s", Origin::measured})}});
      converted += step.conversion ? 1 : 0;
      (step.conversion ? conversions : convolutions) += step.conversion || step.convolution >= 0 ? seconds : 0;
    }
    const Outcome& all = times_.answer.whole;
    const double seconds = seconds_of(all.minimum, all.median);
    const auto add = [&](const char* key, const char* label, double value, const char* unit) {
      whole.total.push_back(one(key, label, {value, unit, Origin::measured}));
    };
    add("seconds", all.gated ? "time" : "time (minimum: samples could not be told from disturbed ones)", seconds, "s");
    add("seconds_convolutions", "of it convolutions", convolutions, "s");
    add("seconds_conversions", "of it conversions of layouts", conversions, "s");
    add("conversions", "conversions of layouts", converted, "");
    add("gflops", "speed", operations / seconds / giga, "GFLOP/s");
    if (all.peak > 0) add("utilization", "of the FMA peak in the same run", operations / seconds / all.peak, "");
    add("error", "largest error", all.error, "");
    double error = 0, relative = 0, sqnr = std::numeric_limits<double>::infinity();
    bool same = true;
    for (const OutputError& output : times_.outputs) {
      sqnr = std::min(sqnr, output.sqnr);
      same = same && output.same_largest;
      error = std::max(error, output.error);
      relative = std::max(relative, output.relative());
    }
    add("output_error", "error at the output (of logits, before a softmax)", error, "");
    add("output_error_relative", "of the largest output (logit)", relative, "");
    if (std::isfinite(sqnr)) add("output_sqnr", "signal to noise at the output", sqnr, "dB");
    if (!times_.others.empty()) add_inputs(whole);
    whole.left_out = times_.left_out;
    add("output_same_largest", "largest output where floats have it (1: yes)", same ? 1 : 0, "");
    return whole;
  }

 private:
  /// Of an input the worst of its outputs.
  struct InputErrors {
    double sqnr = std::numeric_limits<double>::infinity();
    bool same = true;
  };

  static InputErrors worst(const std::vector<OutputError>& outputs) {
    InputErrors result;
    for (const OutputError& output : outputs) {
      result.sqnr = std::min(result.sqnr, output.sqnr);
      result.same = result.same && output.same_largest;
    }
    return result;
  }

  /// Of all inputs together: of each output sums of squares, of the worst output the ratio.
  void add_inputs(target::WholeMeasurement& whole) const {
    InputErrors least = worst(times_.outputs);
    std::vector<OutputError> sums = times_.outputs;
    int same = least.same ? 1 : 0;
    for (const std::vector<OutputError>& outputs : times_.others) {
      const InputErrors one = worst(outputs);
      least.sqnr = std::min(least.sqnr, one.sqnr);
      same += one.same ? 1 : 0;
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i].signal += outputs[i].signal;
        sums[i].noise += outputs[i].noise;
      }
    }
    for (OutputError& sum : sums) sum.sqnr = quantization::Error{.signal = sum.signal, .noise = sum.noise}.sqnr();
    const double all = worst(sums).sqnr;
    const auto add = [&](const char* key, const char* label, double value, const char* unit) {
      whole.total.push_back(one(key, label, {value, unit, Origin::measured}));
    };
    add("inputs", "inputs", static_cast<double>(times_.others.size() + 1), "");
    if (std::isfinite(all)) add("inputs_sqnr", "signal to noise of all inputs together", all, "dB");
    if (std::isfinite(least.sqnr)) add("inputs_least_sqnr", "least signal to noise of an input", least.sqnr, "dB");
    add("inputs_same_largest", "inputs whose largest output is where floats have it", same, "");
  }

  double seconds_of(double minimum, double median) const { return times_.answer.whole.gated ? median : minimum; }

  Observation one(std::string key, std::string label, Quantity value) const {
    return {std::move(key),
            std::move(label),
            std::move(value),
            times_.answer.whole.samples,
            0,
            model_,
            date_,
            times_.compiler + ' ' + times_.flags};
  }

  const NetworkTimes& times_;
  const std::string model_, date_;
};

void tell(const NetworkTimes& times, const network::Network& network, Diagnostics& diagnostics) {
  const auto& steps = times.program.steps;
  const auto convolutions =
      std::count_if(steps.begin(), steps.end(), [](const auto& step) { return step.convolution >= 0; });
  diagnostics.note(
      {network.source_file, 0, {}},
      fmt::format("{} steps, {} of them convolutions, {} with programs that were measured on this host; "
                  "layouts {}",
                  steps.size(), convolutions, times.program.measured,
                  times.program.optimal ? "take the least time by what is known of programs" : "are a local optimum"));
  if (times.left_out.empty()) return;
  diagnostics.note(
      {network.source_file, 0, {}},
      fmt::format("left to the host, as no code is generated for it: {}{}", times.left_out.front(),
                  times.left_out.size() > 1 ? fmt::format(" and {} more", times.left_out.size() - 1) : ""));
}

}  // namespace

std::optional<target::WholeMeasurement> measured_whole(const network::Network& network, const Machine& machine,
                                                       const target::OptionValues& options, const std::stop_token& stop,
                                                       Diagnostics& diagnostics) {
  const Availability availability = find_availability(options.text("compiler"));
  const auto refuse = [&](const std::string& why, const std::string& hint = {}) {
    diagnostics.error({network.source_file, 0, {}}, "not measured: " + why, {}, hint);
    return std::nullopt;
  };
  if (!availability.available()) return refuse(availability.reason);
  if (!runs_here(machine.family))
    return refuse(fmt::format("this processor has no {}", traits(machine.family).key), "`--set family=` another one");
  if (machine.threads > 1) return refuse("whole networks run on one thread", "`--set threads=1`");
  const std::string& path = options.text("store");
  const auto store = Store::open(path.empty() ? Store::usual_path() : path, diagnostics);
  if (!store) return std::nullopt;
  const Host host = this_host();
  NetworkMeasureOptions measuring;
  measuring.seed = static_cast<std::uint64_t>(options.integer("seed"));
  measuring.inputs = static_cast<int>(options.integer("inputs"));
  const auto times =
      measure_whole(network, machine, *store, host.identity(), availability, measuring, stop, diagnostics);
  if (!times) return std::nullopt;
  tell(*times, network, diagnostics);
  return Observations(*times, host).run(times->operations);
}

}  // namespace convscope::cpu
