#include "core/cpu/compiled_layer.h"

#include <utility>
#include <vector>

#include "core/cpu/artifacts/decision_tree.h"
#include "core/cpu/artifacts/explanation.h"
#include "core/cpu/artifacts/layer_metrics.h"
#include "core/cpu/artifacts/source.h"
#include "core/cpu/artifacts/transforms.h"
#include "core/cpu/simulate/simulation.h"

namespace convscope::cpu {
namespace {

using artifact::Metrics;

class MappedLayer : public target::CompiledLayer {
 public:
  MappedLayer(const network::Layer& layer, ChosenProgram program)
      : name_(layer.name),
        program_(std::move(program)),
        transforms_(shown_transforms(program_)),
        metrics_(layer_metrics(layer, program_)) {}

  const std::string& reason() const override { return reason_; }
  const Metrics& metrics() const override { return metrics_; }
  // What caches keep from image to image depends on what runs in between: nothing is counted as saved.
  artifact::BatchFigures batch(std::int64_t images) const override {
    auto batch =
        artifact::image_after_image(metrics_, images, "the program computes one image and reads its weights anew");
    batch.cycles.origin = batch.seconds.origin = Origin::estimate;
    return batch;
  }
  // Behind the text itself stand the transforms that it contains, for those who look at equations.
  int program_count() const override { return 1 + static_cast<int>(transforms_.size()); }
  std::string program_name(int program) const override { return program == 0 ? name_ : transform(program).name(); }
  std::shared_ptr<const artifact::Source> source(int program) const override {
    return program == 0 ? make_source(program_) : nullptr;
  }
  std::shared_ptr<const artifact::TaskGraph> task_graph(int program) const override {
    return program == 0 ? nullptr : equation_graph(transform(program));
  }
  std::shared_ptr<const artifact::Listing> listing(int program) const override {
    return program == 0 ? nullptr : equation_listing(transform(program));
  }
  std::shared_ptr<const artifact::DecisionTree> decision_tree() const override { return make_decision_tree(program_); }
  std::shared_ptr<const artifact::Explanation> explanation() const override { return explain(program_); }
  std::optional<target::SimulationResult> simulate(const target::OptionValues& options, const std::stop_token& stop,
                                                   Diagnostics& diagnostics) const override {
    return cpu::simulate(program_, options, stop, diagnostics);
  }

 private:
  const ShownTransform& transform(int program) const { return transforms_[static_cast<std::size_t>(program) - 1]; }

  std::string name_, reason_;
  ChosenProgram program_;
  std::vector<ShownTransform> transforms_;
  Metrics metrics_;
};

class UnmappedLayer : public target::CompiledLayer {
 public:
  UnmappedLayer(const network::Layer& layer, std::string reason)
      : reason_(std::move(reason)), metrics_(unmapped_metrics(layer)) {}
  const std::string& reason() const override { return reason_; }
  const Metrics& metrics() const override { return metrics_; }
  std::shared_ptr<const artifact::Explanation> explanation() const override { return explain(reason_); }

 private:
  std::string reason_;
  Metrics metrics_;
};

}  // namespace

std::shared_ptr<const target::CompiledLayer> make_mapped(const network::Layer& layer, ChosenProgram program) {
  return std::make_shared<const MappedLayer>(layer, std::move(program));
}

std::shared_ptr<const target::CompiledLayer> make_unmapped(const network::Layer& layer, const std::string& reason) {
  return std::make_shared<const UnmappedLayer>(layer, reason);
}

}  // namespace convscope::cpu
