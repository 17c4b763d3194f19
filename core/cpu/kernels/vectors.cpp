#include "core/cpu/kernels/vectors.h"

#include "core/cpu/syntax/build.h"

namespace convscope::cpu {

Nodes each_vector(const char* variable, int all, int lanes, const std::function<Nodes(const Lanes&)>& body) {
  Nodes nodes;
  for (int width = lanes, done = 0; done < all; width = width == 4 ? 1 : width / 2) {
    const int trips = (all - done) / width;
    if (trips == 0) continue;
    nodes.push_back(loop(variable, trips, body({Affine::variable(variable, width) + Affine(done), width})));
    done += trips * width;
  }
  return nodes;
}

std::string width_suffix(const Plan& plan, int lanes) {
  return lanes == plan.lanes() ? "" : std::to_string(lanes);
}

}  // namespace convscope::cpu
