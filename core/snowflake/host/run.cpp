#include "core/snowflake/host/run.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::snowflake {
namespace {

using reference::FixedTensor;

/// Keeps what each layer writes into its output's place: regions may be used again by later layers.
class OutputRecorder : public OutputSink {
 public:
  explicit OutputRecorder(const Program& program) {
    for (const ProgramLayer& layer : program.layers) {
      const MapsPlace& out = layer.out;
      Record record;
      record.first = program.regions[static_cast<std::size_t>(out.region)].first_word + out.offset;
      record.words.resize(static_cast<std::size_t>(out.height) * static_cast<std::size_t>(out.width) *
                          static_cast<std::size_t>(out.pitch));
      record.written.resize(record.words.size());
      records_.push_back(std::move(record));
    }
  }

  void written(int layer, std::int64_t dram_word, std::span<const std::int16_t> words) override {
    if (static_cast<std::size_t>(layer) >= records_.size()) return;
    Record& record = records_[static_cast<std::size_t>(layer)];
    const auto size = static_cast<std::int64_t>(record.words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::int64_t at = dram_word - record.first + static_cast<std::int64_t>(i);
      if (at < 0 || at >= size) continue;
      record.words[static_cast<std::size_t>(at)] = words[i];
      record.written[static_cast<std::size_t>(at)] = true;
    }
  }

  std::int16_t word(std::size_t layer, std::size_t at) const { return records_[layer].words[at]; }
  bool was_written(std::size_t layer, std::size_t at) const { return records_[layer].written[at]; }

 private:
  struct Record {
    std::int64_t first = 0;
    std::vector<std::int16_t> words;
    std::vector<bool> written;
  };
  std::vector<Record> records_;
};

/// Fills `found` with what the machine wrote.
LayerComparison compare(const ProgramLayer& layer, std::size_t index, const OutputRecorder& record,
                        const FixedTensor& expected, FixedTensor& found) {
  LayerComparison comparison;
  const MapsPlace& out = layer.out;
  for (int c = 0; c < out.channels; ++c)
    for (int y = 0; y < out.height; ++y)
      for (int x = 0; x < out.width; ++x) {
        const std::size_t at =
            (static_cast<std::size_t>(y) * static_cast<std::size_t>(out.width) + static_cast<std::size_t>(x)) *
                static_cast<std::size_t>(out.pitch) +
            static_cast<std::size_t>(c);
        const bool written = record.was_written(index, at);
        const std::int16_t word = found.at(c, y, x) = record.word(index, at);
        ++comparison.words;
        comparison.never_written += written ? 0 : 1;
        comparison.different += written && word != expected.at(c, y, x) ? 1 : 0;
        if (comparison.first_difference.empty() && (!written || word != expected.at(c, y, x)))
          comparison.first_difference =
              fmt::format("layer '{}', channel {}, row {}, column {}: expected {}, {}", layer.name, c, y, x,
                          expected.at(c, y, x), written ? fmt::format("found {}", word) : "never written");
      }
  return comparison;
}

bool fits(const Program& program, const ProgramData& data, Diagnostics& diagnostics) {
  const ProgramData like = seeded_data(program, 0);
  const auto same_sizes = [](const LayerParameters& a, const LayerParameters& b) {
    return a.weights.size() == b.weights.size() && a.bias.size() == b.bias.size();
  };
  const auto same_shapes = [](const FixedTensor& a, const FixedTensor& b) {
    return a.shape == b.shape && a.values.size() == b.values.size();
  };
  const bool right = std::ranges::equal(data.parameters, like.parameters, same_sizes) &&
                     std::ranges::equal(data.inputs, like.inputs, same_shapes);
  if (!right)
    diagnostics.error({program.name, 0, "weights and inputs"}, "do not fit the program's layers",
                      "the sizes that its layers have");
  return right;
}

}  // namespace

bool ComparedRun::equal() const {
  return !result.refusal && std::ranges::all_of(layers, &LayerComparison::equal);
}

std::string ComparedRun::text() const {
  if (result.refusal)
    return fmt::format("refused at cycle {}, instruction {}: {}", result.refusal->cycle, result.refusal->instruction,
                       result.refusal->what);
  for (const LayerComparison& layer : layers)
    if (!layer.equal())
      return fmt::format("{} ({} of {} words differ, {} were never written)", layer.first_difference, layer.different,
                         layer.words, layer.never_written);
  return "equal";
}

std::optional<ComparedRun> run_and_compare(const Program& program, const ProgramData& data, Diagnostics& diagnostics,
                                           const SimulationOptions& options, const std::stop_token& stop) {
  if (!check_layers(program, diagnostics) || !fits(program, data, diagnostics)) return std::nullopt;
  std::vector<std::int16_t> dram = dram_image(program, data);
  OutputRecorder record(program);
  ComparedRun run;
  run.result = simulate(program, dram, &record, options, stop);
  const auto expected = reference_outputs(program, data, stop);
  for (std::size_t i = 0; i < program.layers.size(); ++i) {
    run.outputs.emplace_back(expected[i].shape);
    run.layers.push_back(compare(program.layers[i], i, record, expected[i], run.outputs.back()));
  }
  return run;
}

std::optional<ComparedRun> run_and_compare(const Program& program, std::uint64_t seed, Diagnostics& diagnostics,
                                           const SimulationOptions& options, const std::stop_token& stop) {
  if (!check_layers(program, diagnostics)) return std::nullopt;
  return run_and_compare(program, seeded_data(program, seed), diagnostics, options, stop);
}

}  // namespace convscope::snowflake
