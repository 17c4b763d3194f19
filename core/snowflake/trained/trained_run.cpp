#include "core/snowflake/trained/trained_run.h"

#include <algorithm>
#include <utility>

namespace convscope::snowflake {
namespace {

using reference::FixedTensor;

class Runner {
 public:
  Runner(const Program& program, const TrainedNetwork& network, const std::vector<int>& positions,
         const TensorValues& values)
      : program_(program), network_(network), positions_(positions), values_(values) {}

  /// Seeded data with all that the network knows in its place; false if values are missing.
  bool fill(ProgramData& data) const {
    for (std::size_t i = 0; i < program_.layers.size(); ++i)
      if (auto parameters = network_.parameters(positions_[i])) data.parameters[i] = *std::move(parameters);
    const std::vector<InputPlace> places = input_places(program_);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const ParsedLayer& reader = parsed(static_cast<std::size_t>(places[i].layer));
      const bool bypass = places[i].bypass;
      const MapsFormat& format = network_.format(bypass ? reader.layer.bypass : reader.layer.in);
      const auto* values = find(bypass ? reader.tensors.bypass : reader.tensors.in, data.inputs[i]);
      if (!values) return false;
      std::transform(values->begin(), values->end(), data.inputs[i].values.begin(),
                     [&](double value) { return format.word(value); });
    }
    return true;
  }

  FloatAgreement compare(const std::vector<FixedTensor>& outputs) const {
    FloatAgreement agreement;
    for (std::size_t i = 0; i < program_.layers.size(); ++i) {
      const MapsPlace& out = program_.layers[i].out;
      if (program_.regions[static_cast<std::size_t>(out.region)].kind != RegionKind::output) continue;
      const auto* exact = find(parsed(i).tensors.out, outputs[i]);
      if (exact) add(agreement, *exact, outputs[i], network_.format(parsed(i).layer.out));
    }
    return agreement;
  }

 private:
  const ParsedLayer& parsed(std::size_t layer) const { return network_.layer(positions_[layer]); }

  const std::vector<double>* find(int tensor, const FixedTensor& like) const {
    const auto found = values_.find(tensor);
    return found != values_.end() && found->second.size() == like.values.size() ? &found->second : nullptr;
  }

  static void add(FloatAgreement& agreement, const std::vector<double>& exact, const FixedTensor& words,
                  const MapsFormat& format) {
    std::vector<double> found(exact.size());
    std::transform(words.values.begin(), words.values.end(), found.begin(),
                   [&](std::int16_t word) { return format.value(word); });
    agreement.error.add(exact, found);
    const std::size_t maps = static_cast<std::size_t>(words.shape.maps),
                      pixels = exact.size() / std::max<std::size_t>(1, maps);
    std::vector<double> expected(maps), answer(maps);
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
      for (std::size_t map = 0; map < maps; ++map) {
        expected[map] = exact[map * pixels + pixel];
        answer[map] = found[map * pixels + pixel];
      }
      ++agreement.pixels;
      agreement.same += quantization::same_largest(expected, answer) ? 1 : 0;
    }
  }

  const Program& program_;
  const TrainedNetwork& network_;
  const std::vector<int>& positions_;
  const TensorValues& values_;
};

}  // namespace

std::optional<ProgramData> trained_data(const Program& program, const TrainedNetwork& network,
                                        const std::vector<int>& positions, const TensorValues& values,
                                        std::uint64_t seed, Diagnostics& diagnostics) {
  ProgramData data = seeded_data(program, seed);
  if (Runner(program, network, positions, values).fill(data)) return data;
  diagnostics.error({program.name, 0, "inputs"}, "the network gives no values of the size that a layer reads");
  return std::nullopt;
}

std::optional<TrainedRun> run_trained(const Program& program, const TrainedNetwork& network,
                                      const std::vector<int>& positions, const TensorValues& values, std::uint64_t seed,
                                      Diagnostics& diagnostics, const std::stop_token& stop) {
  if (!check_layers(program, diagnostics)) return std::nullopt;
  const auto data = trained_data(program, network, positions, values, seed, diagnostics);
  if (!data) return std::nullopt;
  auto run = run_and_compare(program, *data, diagnostics, {}, stop);
  if (!run) return std::nullopt;
  FloatAgreement agreement = Runner(program, network, positions, values).compare(run->outputs);
  return TrainedRun{*std::move(run), agreement};
}

}  // namespace convscope::snowflake
