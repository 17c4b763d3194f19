#pragma once
// Whether each layer's stated sizes follow from the layer before, and the network that results.

#include <string>
#include <vector>

#include "core/network/network.h"
#include "core/readers/convnet_xml/layer_descriptor.h"

namespace convscope::readers {

/// A layer needs (outputs - 1) * subsampling + kernel pixels along each axis. Up to subsampling - 1 pixels more than
/// the layer before gives are zeros, with a note; more is an error. Axes with a wrong field on either side are skipped:
/// that has been reported.
void check_chain(const std::vector<LayerDescriptor>& layers, Diagnostics& findings);

/// Layers of descriptors without errors. The first layer's input is exactly what it needs; a later one's is what the
/// layer before gives. Source: thesis, section 2.1.2 for subsampling as stride.
std::vector<network::Layer> connect(std::vector<LayerDescriptor> layers);

/// Errors for layers whose multiply-accumulates can't be counted in 63 bits, alone or together.
void check_work(const std::vector<network::Layer>& layers, const std::string& file, Diagnostics& findings);

}  // namespace convscope::readers
