#pragma once
// Problems that the CPU target is judged by.

#include <string>
#include <vector>

#include "core/cpu/architecture/problem.h"

namespace convscope::bench {

/// direct: the 27 sizes of Tables 4.1 to 4.3 of "Automatic Program Generation for Convolutional Neural Networks on
/// Resource Constrained Devices"; pointwise: 29 1x1 layers of SqueezeNet and ResNet-152; strided: layers with stride 2
/// and depthwise ones of MobileNetV2 and ResNet-50; winograd: those of the first with 32 channels or more. Empty for
/// other names.
std::vector<cpu::Problem> problems(const std::string& list);

}  // namespace convscope::bench
