#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

/// X is [sequence, batch, input], or batch first with layout 1; Y has a dimension of directions more.
void infer_recurrent(NodeView& node) {
  const TensorShape data = node.shape(0), recurrence = node.shape(2);
  const bool batch_first = node.attributes().integer("layout", 0) != 0;
  const bool known = data.dimensions.size() == 3;
  const std::int64_t steps = known ? data.dimensions[batch_first ? 1 : 0] : unknown_dimension;
  const std::int64_t batch = known ? data.dimensions[batch_first ? 0 : 1] : unknown_dimension;
  std::int64_t hidden = node.attributes().integer("hidden_size", unknown_dimension);
  if (hidden < 0) hidden = recurrence.dimensions.size() == 3 ? recurrence.dimensions[2] : unknown_dimension;
  const std::int64_t directions = node.attributes().text("direction", "forward") == "bidirectional" ? 2 : 1;
  node.set(0, batch_first ? Dimensions{batch, steps, directions, hidden} : Dimensions{steps, directions, batch, hidden},
           node.type(0));
  for (std::size_t output = 1; output < 3; ++output)
    node.set(output, batch_first ? Dimensions{batch, directions, hidden} : Dimensions{directions, batch, hidden},
             node.type(0));
}

}  // namespace

void add_recurrent_rules(RuleTable& table) {
  table["LSTM"] = table["GRU"] = table["RNN"] = infer_recurrent;
}

}  // namespace convscope::network
