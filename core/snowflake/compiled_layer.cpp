#include "core/snowflake/compiled_layer.h"

#include <utility>

#include "core/snowflake/architecture/assembly.h"
#include "core/snowflake/artifacts/explanation.h"
#include "core/snowflake/artifacts/layer_metrics.h"
#include "core/snowflake/artifacts/program_view.h"
#include "core/snowflake/artifacts/tile_plan.h"
#include "core/snowflake/program_tools.h"
#include "core/target/traceable.h"

namespace convscope::snowflake {
namespace {

using artifact::Metrics;

std::int64_t words_of(const MapsPlace& place) {
  return std::int64_t{place.height} * place.width * place.channels;
}

/// Input positions that windows touch: between windows, and behind the last, there may be others.
std::int64_t touched(int outputs, int stride, int padding, int kernel, int dilation, int size) {
  std::int64_t count = 0;
  for (int position = 0; position < size; ++position) {
    bool used = false;
    for (int tap = 0; tap < kernel && !used; ++tap) {
      const int from = position + padding - tap * dilation;
      used = from >= 0 && from % stride == 0 && from / stride < outputs;
    }
    count += used ? 1 : 0;
  }
  return count;
}

std::int64_t input_words(const ProgramLayer& l) {
  return touched(l.out.height, l.stride_height, l.padding_top, l.kernel_height, l.dilation_height, l.in.height) *
         touched(l.out.width, l.stride_width, l.padding_left, l.kernel_width, l.dilation_width, l.in.width) *
         l.in.channels;
}

MeteredLayer metered(const network::Layer& layer, const ProgramLayer& program, const TimedProgram& timed,
                     const std::optional<LinkedRun>& linked) {
  MeteredLayer m;
  const bool pools = program.kind == LayerKind::max_pool || program.kind == LayerKind::average_pool;
  m.macs = layer.macs();
  const bool product = program.kind == LayerKind::fully_connected;  // its layer has one pixel of many maps
  m.valid_macs = pools ? 0 : product ? layer.macs() : timed.taps * layer.connections();
  m.least_bytes = word_bytes * (input_words(program) + words_of(program.out) + layer.coefficients() +
                                (program.bypass.region >= 0 ? words_of(program.bypass) : 0));
  m.run = linked ? linked->run : timed.run.layers.front();
  m.imbalance = linked ? linked->imbalance : load_imbalance(timed.run.sections, timed.program.machine.load_units);
  m.code = static_cast<std::int64_t>(timed.program.code.size());
  m.verified = true;
  m.overlaps = linked && !linked->first;
  return m;
}

DecisionTexts texts_of(const Mapping& mapping, LayerKind kind) {
  if (kind == LayerKind::max_pool || kind == LayerKind::average_pool) return {"", "", "", mapping.rows, 0};
  return {mapping.independent ? "INDP" : "COOP", mapping.split ? "kernels" : "maps",
          mapping.maps_loop ? "Mloop" : "Kloop", mapping.rows, mapping.kernels_per_vmac};
}

/// What a program and its run are shown by; of a layer or of a network.
template <typename Base>
class WithProgram : public Base, public target::Traceable {
 public:
  WithProgram(std::string name, const target::Remembered<TimedProgram>& timed, TrainedLayers trained, Metrics metrics)
      : name_(std::move(name)), timed_(timed.pointer()), trained_(std::move(trained)), metrics_(std::move(metrics)) {}
  const Metrics& metrics() const override { return metrics_; }
  std::string fault() const override { return timed_->fault; }
  int program_count() const override { return 1; }
  std::string program_name(int) const override { return name_; }
  int program_of(artifact::OperationKey operation) const override { return operation == 0 ? -1 : 0; }
  std::shared_ptr<const artifact::Timeline> timeline(int) const override { return make_timeline(program(), {}); }
  std::shared_ptr<const artifact::Listing> listing(int) const override { return make_listing(program()); }
  std::shared_ptr<const artifact::MemoryMap> memory_map(int) const override {
    return make_memory_map(program(), timed_->run);
  }
  std::string program_file(int) const override { return write_program_file(program()); }
  std::optional<target::SimulationResult> simulate(const target::OptionValues& options, const std::stop_token& stop,
                                                   Diagnostics& diagnostics) const override {
    return run_program(program(), trained_, options, stop, diagnostics);
  }
  std::shared_ptr<const target::Trace> trace(int, const target::OptionValues& options, std::int64_t checkpoint_bytes,
                                             const std::stop_token& stop, Diagnostics& diagnostics) const override {
    return trace_with_values(program(), trained_, options, checkpoint_bytes, stop, diagnostics);
  }

 protected:
  const Program& program() const { return timed_->program; }

 private:
  std::string name_;
  std::shared_ptr<const TimedProgram> timed_;
  TrainedLayers trained_;
  Metrics metrics_;
};

class MappedLayer : public WithProgram<target::CompiledLayer> {
 public:
  MappedLayer(const network::Layer& layer, const ParsedLayer& parsed, const target::Remembered<TimedProgram>& timed,
              TrainedLayers trained, MeteredLayer metered)
      : WithProgram(
            layer.name, timed, std::move(trained),
            layer_metrics(metered, texts_of(timed->choice.mapping(), parsed.layer.kind), timed->program.machine)),
        metered_(metered),
        choice_(timed->choice),
        remarks_(parsed.remarks) {}
  const std::string& reason() const override { return reason_; }
  std::shared_ptr<const artifact::Explanation> explanation() const override {
    return explain(metered_, metrics(), program().machine, choice_, remarks_);
  }

  // What a run of the next image could load before this one ends is not counted.
  artifact::BatchFigures batch(std::int64_t images) const override {
    return artifact::image_after_image(metrics(), images, "the program runs once an image and loads its kernels anew");
  }

  std::shared_ptr<const artifact::TilePlan> tile_plan() const override {
    return make_tile_plan(program(), choice_.mapping());
  }

 private:
  std::string reason_;
  MeteredLayer metered_;
  Choice choice_;
  std::vector<std::string> remarks_;
};

/// A layer without a program.
class BareLayer : public target::CompiledLayer {
 public:
  BareLayer(std::string reason, std::string summary, Metrics metrics, std::string fault = {})
      : reason_(std::move(reason)),
        summary_(std::move(summary)),
        metrics_(std::move(metrics)),
        fault_(std::move(fault)) {}
  const std::string& reason() const override { return reason_; }
  std::string fault() const override { return fault_; }
  const Metrics& metrics() const override { return metrics_; }
  std::shared_ptr<const artifact::Explanation> explanation() const override { return explain(summary_); }

 private:
  std::string reason_, summary_;
  Metrics metrics_;
  std::string fault_;
};

class Linked : public WithProgram<target::LinkedNetwork> {
 public:
  Linked(const std::string& name, target::CompiledLayers layers, const target::Remembered<TimedProgram>& timed,
         TrainedLayers trained, Metrics total)
      : WithProgram(name, timed, std::move(trained), std::move(total)), layers_(std::move(layers)) {}
  const target::CompiledLayers& layers() const override { return layers_; }

 private:
  target::CompiledLayers layers_;
};

class Unlinked : public target::LinkedNetwork {
 public:
  Unlinked(target::CompiledLayers layers, Metrics total, std::string fault)
      : layers_(std::move(layers)), total_(std::move(total)), fault_(std::move(fault)) {}
  const Metrics& metrics() const override { return total_; }
  std::string fault() const override { return fault_; }
  const target::CompiledLayers& layers() const override { return layers_; }

 private:
  target::CompiledLayers layers_;
  Metrics total_;
  std::string fault_;
};

}  // namespace

std::shared_ptr<const target::CompiledLayer> make_mapped(const network::Layer& layer, const ParsedLayer& parsed,
                                                         const target::Remembered<TimedProgram>& timed,
                                                         TrainedLayers trained,
                                                         const std::optional<LinkedRun>& linked) {
  return std::make_shared<const MappedLayer>(layer, parsed, timed, std::move(trained),
                                             metered(layer, parsed.layer, *timed, linked));
}

std::shared_ptr<const target::CompiledLayer> make_folded(const network::Layer& layer, const std::string& by) {
  return std::make_shared<const BareLayer>(
      "", by.empty() ? "moves and computes nothing" : "computed by " + by + ", as part of its write-back",
      folded_metrics(layer.macs()));
}

std::shared_ptr<const target::CompiledLayer> make_unmapped(const network::Layer& layer, const std::string& reason,
                                                           const std::string& fault) {
  return std::make_shared<const BareLayer>(reason, reason, folded_metrics(layer.macs()), fault);
}

std::shared_ptr<const target::LinkedNetwork> make_linked(const std::string& name, target::CompiledLayers layers,
                                                         const target::Remembered<TimedProgram>& timed,
                                                         TrainedLayers trained, artifact::Metrics total) {
  return std::make_shared<const Linked>(name, std::move(layers), timed, std::move(trained), std::move(total));
}

std::shared_ptr<const target::LinkedNetwork> make_unlinked(target::CompiledLayers layers, Metrics total,
                                                           const std::string& fault) {
  return std::make_shared<const Unlinked>(std::move(layers), std::move(total), fault);
}

}  // namespace convscope::snowflake
