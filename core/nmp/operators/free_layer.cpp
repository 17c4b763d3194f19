#include "core/nmp/operators/free_layer.h"

#include "core/nmp/artifacts/layer_metrics.h"

namespace convscope::nmp {
namespace {

class FreeLayer : public target::CompiledLayer {
 public:
  explicit FreeLayer(const std::string& text) : metrics_(free_metrics(text)), text_(text) {}
  const std::string& reason() const override { return reason_; }
  const artifact::Metrics& metrics() const override { return metrics_; }
  std::shared_ptr<const artifact::Explanation> explanation() const override {
    artifact::Explanation explanation;
    explanation.summary = "It takes no time of its own: " + text_ + ".";
    return std::make_shared<const artifact::Explanation>(std::move(explanation));
  }

 private:
  std::string reason_;
  artifact::Metrics metrics_;
  std::string text_;
};

}  // namespace

std::shared_ptr<const target::CompiledLayer> make_free_layer(const std::string& text) {
  return std::make_shared<const FreeLayer>(text);
}

}  // namespace convscope::nmp
