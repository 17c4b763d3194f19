#pragma once
// A TensorFlow Lite model as it stands in its file (model.fbs): layout and names unchanged.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tflite/model_generated.h>

#include "core/network/element_type.h"
#include "core/readers/common/report.h"

namespace convscope::readers::tflite {

struct ModelTensor {
  std::string name;
  std::vector<std::int64_t> shape;  ///< network::unknown_dimension where the signature has it
  bool ranked = true;               ///< false: an empty shape means an unknown one
  network::ElementType type = network::ElementType::unknown;
  std::string_view data;  ///< empty if computed
  std::vector<double> scale;
  std::vector<std::int64_t> zero_point;  ///< as many as scales, or none
  std::int64_t quantized_axis = 0;       ///< along which several scales stand

  bool quantized() const { return !scale.empty(); }
};

struct ModelOperator {
  std::string name;  ///< "CONV_2D"; of a custom operator its own
  bool custom = false;
  std::vector<std::int64_t> inputs;  ///< indices of tensors; -1 where absent
  std::vector<std::int64_t> outputs;
  const schema::Operator* entry = nullptr;  ///< in the file's bytes

  /// Null if it has none, or those of another operator.
  template <typename Options>
  const Options* options() const {
    return entry->options_as<Options>();
  }
};

struct Model {
  std::vector<ModelTensor> tensors;
  std::vector<ModelOperator> operators;
  std::vector<std::int64_t> inputs, outputs;
};

/// Nothing, with errors, if an offset leads out of the file, an index names nothing, or a constant's values don't fit
/// its shape. The model points into the bytes, which start where 8-byte numbers may start.
std::optional<Model> read_model(std::string_view bytes, Report& report);

}  // namespace convscope::readers::tflite
