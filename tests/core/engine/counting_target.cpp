#include "tests/core/engine/counting_target.h"

#include <stdexcept>
#include <thread>

#include "core/base/key.h"
#include "tests/core/engine/remembered.h"

#if defined(__SANITIZE_THREAD__)
#define CONVSCOPE_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CONVSCOPE_THREAD_SANITIZER
#endif
#endif

namespace convscope::engine::test {
namespace {

class CountedLayer : public target::CompiledLayer {
 public:
  CountedLayer(artifact::Metrics metrics, std::string reason, std::string fault)
      : metrics_(std::move(metrics)), reason_(std::move(reason)), fault_(std::move(fault)) {}
  const std::string& reason() const override { return reason_; }
  std::string fault() const override { return fault_; }
  const artifact::Metrics& metrics() const override { return metrics_; }

 private:
  artifact::Metrics metrics_;
  std::string reason_, fault_;
};

arch::ParameterDescription parameter(const std::string& name, double initial) {
  arch::ParameterDescription description;
  description.name = description.label = name;
  description.minimum = 1;
  description.maximum = 1000;
  description.initial = initial;
  return description;
}

std::string layer_key(const network::Layer& layer, int parameter) {
  return KeyBuilder().add(layer.out.size.height).add(layer.out.size.width).add(parameter).take();
}

}  // namespace

std::shared_ptr<const network::Network> made_up_network(int layers) {
  auto result = std::make_shared<network::Network>();
  for (int i = 0; i < layers; ++i) {
    network::Layer layer;
    layer.name = "L" + std::to_string(i + 1);
    layer.in = {1, {i + 3, 12}};
    layer.out = {1, {i + 1, 10}};
    layer.kernel = {3, 3};
    layer.stride = {1, 1};
    layer.inputs = {{0}};
    result->layers.push_back(layer);
  }
  return result;
}

CountingTarget::CountingTarget() {
  auto description = std::make_shared<arch::MachineDescription>();
  description->target = id_;
  description->parameters = {parameter("lanes", 4), parameter("bandwidth", 100)};
  machine_ = description;
}

std::vector<int> CountingTarget::started() const {
  const std::lock_guard lock(mutex_);
  return started_;
}

void CountingTarget::work(const std::stop_token& stop) const {
  const auto end = std::chrono::steady_clock::now() + pass_time;
  throw_if_stopped(stop);
  while (std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    throw_if_stopped(stop);
  }
}

std::shared_ptr<const target::CompiledLayer> CountingTarget::compile(const target::CompileRequest& request,
                                                                     target::PassCache& cache,
                                                                     const std::stop_token& stop) const {
  {
    const std::lock_guard lock(mutex_);
    started_.push_back(request.layer);
  }
  if (request.layer == failing_layer) throw std::runtime_error("made-up failure");
  const network::Layer& layer = request.network->layers[static_cast<std::size_t>(request.layer)];
  if (unmapped.count(request.layer)) return std::make_shared<CountedLayer>(artifact::Metrics{}, "too odd", "");

  const int lanes = request.machine->get_int("lanes"), bandwidth = request.machine->get_int("bandwidth");
  if (request.layer == faulty_layer && (faulty_lanes == 0 || faulty_lanes == lanes)) {
    const std::string fault = "a made-up verifier refuses it";
    return std::make_shared<CountedLayer>(artifact::Metrics{}, target::fault_reason(fault), fault);
  }
  const auto cycles = remembered<std::int64_t>(cache, "schedule", layer_key(layer, lanes), [&] {
    ++schedules_;
    work(stop);
    return std::make_shared<const std::int64_t>(layer.macs() / lanes);
  });
  const auto load = remembered<std::int64_t>(cache, "transfer", layer_key(layer, bandwidth), [&] {
    ++transfers_;
    work(stop);
    return std::make_shared<const std::int64_t>(layer.in.size.height * layer.in.size.width * 1000 / bandwidth);
  });
  artifact::Metrics metrics;
  metrics.macs = layer.macs();
  metrics.cycles.value = static_cast<double>(*cycles + *load);
  return std::make_shared<CountedLayer>(metrics, "", "");
}

artifact::Metrics CountingTarget::total(const std::vector<std::shared_ptr<const target::CompiledLayer>>& layers,
                                        const arch::ParameterValues&) const {
  artifact::Metrics sum;
  for (const auto& layer : layers) {
    if (!layer) continue;
    sum.macs += layer->metrics().macs;
    // Not a whole number of anything: a sum in another order would differ in its last bits.
    sum.cycles.value += layer->metrics().cycles.value / 3.0;
  }
  return sum;
}

artifact::Roofline CountingTarget::roofline(const network::Network& network,
                                            const std::vector<std::shared_ptr<const target::CompiledLayer>>& layers,
                                            const arch::ParameterValues&) const {
  artifact::Roofline result;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (!layers[i]) continue;
    artifact::RooflinePoint point;
    point.name = network.layers[i].name;
    point.layer = static_cast<int>(i);
    point.operations_per_second = layers[i]->metrics().cycles.value;
    result.points.push_back(point);
  }
  return result;
}

Request request_for(const std::shared_ptr<const CountingTarget>& target, int layers) {
  return Request{.network = made_up_network(layers),
                 .target = target,
                 .machine = arch::ParameterValues(target->machine()),
                 .level = target->default_level(),
                 .preset = "",
                 .only_layers = {}};
}

std::vector<std::string> executor_kinds() {
#ifdef CONVSCOPE_THREAD_SANITIZER
  return {"threads"};
#else
  return {"threads", "tbb"};
#endif
}

std::unique_ptr<Executor> make_executor(const std::string& kind, int threads) {
  return kind == "tbb" ? make_tbb_executor(threads) : make_thread_executor(threads);
}

}  // namespace convscope::engine::test
