#pragma once
// What the picture of a quantization shows: the error along the network, who adds most to it, and how the selected
// layer's values lie in their formats.

#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "ui/model/exploration.h"
#include "ui/model/snapshot.h"

namespace convscope::ui {

struct QuantizationScene {
  std::shared_ptr<const QuantizationRun> run;  ///< with a result
  int layer = -1;                              ///< selected
  QString title;
  std::vector<int> points;  ///< computed tensors in the order of computation
  std::vector<int> losses;  ///< those of them that add noise, most of it first
  std::vector<int> panels;  ///< tensors whose values are shown: what the layer takes as constants, and what it computes
  int chosen = -1;          ///< of `points`, the selected layer's; -1 if there is none

  const artifact::QuantizedTensor& tensor(int index) const {
    return run->result->tensors[static_cast<std::size_t>(index)];
  }
  QString layer_name(int tensor) const;
  /// A tensor for people: format and error, line by line.
  QString words(int tensor) const;
  /// The layer of the point `by` points further; -1 if there is none.
  int neighbour(int by) const;
  std::string csv() const;
};

/// The selected layer's tensor is the one that it computes, or, if it holds none, the next one after it.
QuantizationScene make_quantization_scene(std::shared_ptr<const QuantizationRun> run, int layer);

/// "54.8 dB", or in words where nothing is lost.
QString noise_text(double noise);

}  // namespace convscope::ui
