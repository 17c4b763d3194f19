#pragma once
// A network's quantization as views show it.

#include <optional>
#include <stop_token>
#include <vector>

#include "core/artifact/quantization.h"
#include "core/base/cancellation.h"
#include "core/network/network.h"
#include "core/quantization/calibration.h"
#include "core/reference/image_folder.h"

namespace convscope::quantization {

struct DescribeOptions {
  CalibrationOptions calibration;
  reference::ImageFolder images;  ///< where no inputs are given
  int seeded_inputs = 4;          ///< made up where there is no folder either
  std::uint64_t seed = 1;
};

/// Chooses formats as `calibrate` does, or by the scales that the file states, with batch norms folded; executes the
/// network in floating point and rounded for each of the inputs, if there are none for each image of the folder, or for
/// seeded ones. Progress is told after each tensor. Nothing, with errors, if the network has no graph or can't be
/// executed, or if the folder has no images or one that can't be read. Throws Cancelled.
std::optional<artifact::Quantization> describe(const network::Network& network,
                                               const std::vector<reference::FloatTensors>& inputs,
                                               const DescribeOptions& options, Diagnostics& diagnostics,
                                               const std::stop_token& stop = {}, const ProgressCallback& progress = {});

}  // namespace convscope::quantization
