#include "networks.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <iterator>
#include <set>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"

namespace convscope::nmp {
namespace {

using network::Layer;
using network::Size;

std::vector<Layer> convolutions_of(const std::string& sample) {
  Diagnostics diagnostics;
  const auto network = catalogue::standard()->read_network(sample_path("networks/" + sample + ".xml"), diagnostics);
  std::vector<Layer> layers;
  if (!network) std::fputs(diagnostics.text().c_str(), stderr);
  assert(network);
  std::copy_if(network->layers.begin(), network->layers.end(), std::back_inserter(layers),
               [](const Layer& layer) { return layer.operator_name == "Conv"; });
  return layers;
}

}  // namespace

network::Layer convolution(int in_maps, Size in, int out_maps, Size kernel, int stride, bool same, int groups) {
  Layer layer;
  layer.in = {in_maps, in};
  layer.kernel = kernel;
  layer.stride = {stride, stride};
  layer.groups = groups;
  layer.dense = true;
  const auto out = [&](int length, int k) { return same ? (length + stride - 1) / stride : (length - k) / stride + 1; };
  layer.out = {out_maps, {out(in.height, kernel.height), out(in.width, kernel.width)}};
  const auto pad = [&](int length, int k) { return std::max(0, (out(length, k) - 1) * stride + k - length); };
  if (same) {
    const int rows = pad(in.height, kernel.height), columns = pad(in.width, kernel.width);
    layer.padding = {rows / 2, columns / 2, rows - rows / 2, columns - columns / 2};
  }
  return layer;
}

std::vector<PaperNetwork> paper_networks() {
  return {{"InceptionV3", 72686, convolutions_of("inception_v3")},
          {"LeNet", 199, convolutions_of("lenet")},
          {"MobileNetV2", 14030, convolutions_of("mobilenet_v2")},
          {"ResNet-50", 55927, convolutions_of("resnet50")},
          {"SqueezeNet", 12504, convolutions_of("squeezenet_1_0")}};
}

std::vector<Convolution> distinct_convolutions(std::size_t step) {
  std::vector<Convolution> some;
  std::set<std::string> seen;
  std::string reason;
  std::size_t count = 0;
  for (const PaperNetwork& network : paper_networks())
    for (const network::Layer& layer : network.layers) {
      const auto c = convolution_of(layer, reason);
      if (c && seen.insert(c->key()).second && count++ % step == 0) some.push_back(*c);
    }
  return some;
}

}  // namespace convscope::nmp
