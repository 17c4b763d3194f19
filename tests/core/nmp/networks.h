#pragma once
// The convolutions of the paper's five image classifiers, from the samples.

#include <string>
#include <vector>

#include "core/network/network.h"
#include "core/nmp/cost/convolution.h"

namespace convscope::nmp {

struct PaperNetwork {
  std::string name;
  double microseconds;  ///< Table I, TSO (burst)
  std::vector<network::Layer> layers;
};

/// In Table I's order: InceptionV3 (94 convolutions), LeNet (2), MobileNetV2 (52), ResNet-50 (53), SqueezeNet (26).
std::vector<PaperNetwork> paper_networks();

/// Their distinct convolutions, every `step`th one.
std::vector<Convolution> distinct_convolutions(std::size_t step);

/// A dense convolution with padding as TensorFlow's "same" or none.
network::Layer convolution(int in_maps, network::Size in, int out_maps, network::Size kernel, int stride, bool same,
                           int groups = 1);

}  // namespace convscope::nmp
