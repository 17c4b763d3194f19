#include "core/cpu/generate/image_copy.h"

#include <map>
#include <string>

#include "core/cpu/kernels/vectors.h"
#include "core/cpu/syntax/build.h"
#include "core/cpu/tree/image_buffer.h"

namespace convscope::cpu {
namespace {

const char* variable_of(char dimension) {
  return dimension == 'H' ? "row" : dimension == 'W' ? "column" : "channel";
}

class Copier {
 public:
  Copier(const Plan& plan, const ImagePart& part) : plan_(plan), problem_(plan.problem), part_(part) {}

  Nodes run() const { return level(0, {}, false); }

 private:
  /// Loops count a part's places along its dimension, and the image's elements along others.
  using At = std::map<char, Affine>;

  int before(char dimension) const {
    return dimension == 'H' ? problem_.pad_top : dimension == 'W' ? problem_.pad_left : 0;
  }
  int count(char dimension) const {
    return dimension == part_.dimension ? part_.extent : problem_.image().at(dimension);
  }
  Affine in_image(char dimension, const Affine& at) const {
    return dimension == part_.dimension ? part_.first + at + Affine(-before(dimension)) : at;
  }
  Affine in_buffer(char dimension, const Affine& at) const {
    return dimension == part_.dimension ? at : at + Affine(before(dimension));
  }

  /// Whether some part has places beyond the image.
  bool clips(char dimension) const {
    if (dimension != part_.dimension) return false;
    const int outputs = dimension == 'H' ? problem_.out_height() : problem_.out_width();
    return before(dimension) > 0 ||
           pixels_of(problem_, dimension, outputs) > before(dimension) + problem_.image().at(dimension);
  }

  Nodes level(std::size_t depth, const At& at, bool zero) const {
    const std::string& order = plan_.image.order;
    const char dimension = order[depth];
    const bool last = depth + 1 == order.size();
    // Pixels side by side are one run of channels.
    if (order.compare(depth, 2, "WC") == 0 && depth + 2 == order.size() && !clips('W')) {
      At pixel = at;
      pixel['W'] = Affine();
      return elements('C', count('W') * count('C'), pixel, zero);
    }
    if (last && !clips(dimension)) return elements(dimension, count(dimension), at, zero);
    const auto inside = [&](bool zero_here) {
      At next = at;
      next[dimension] = Affine::variable(variable_of(dimension));
      return last ? element(next, 1, zero_here) : level(depth + 1, next, zero_here);
    };
    if (zero || !clips(dimension)) return {loop(variable_of(dimension), count(dimension), inside(zero))};
    const Affine form = in_image(dimension, Affine::variable(variable_of(dimension)));
    const int limit = problem_.image().at(dimension);
    return {clipped(dimension, {{form, true, 0, dimension}}, inside(true)),
            clipped(dimension, {{form + Affine(-limit), false, 0, dimension}}, inside(true)),
            clipped(dimension, {{form, false, 0, dimension}, {form, true, limit, dimension}}, inside(false))};
  }

  NodePtr clipped(char dimension, std::vector<Condition> tests, Nodes children) const {
    Node node = *loop(variable_of(dimension), count(dimension), std::move(children));
    node.conditions = std::move(tests);
    return make(std::move(node));
  }

  Nodes elements(char dimension, int all, const At& at, bool zero) const {
    return each_vector(variable_of(dimension), all, plan_.lanes(), [&](const Lanes& lanes) {
      At vector = at;
      vector[dimension] = lanes.first;
      return element(vector, lanes.count, zero);
    });
  }

  /// One, or a vector of them.
  Nodes element(const At& at, int lanes, bool zero) const {
    const std::string name = "element" + width_suffix(plan_, lanes);
    Access from{"image", {}, {}, {}}, to{"padded", {}, {}, {}};
    for (const char dimension : {'H', 'W', 'C'}) {
      from.index.push_back({dimension, in_image(dimension, at.at(dimension))});
      to.index.push_back({dimension, in_buffer(dimension, at.at(dimension))});
    }
    return {zero ? definition(name, vector_type(lanes)) : load(name, vector_type(lanes), std::move(from)),
            store(std::move(to), name, false)};
  }

  const Plan& plan_;
  const Problem& problem_;
  const ImagePart& part_;
};

}  // namespace

NodePtr copy_image(const Plan& plan, const ImagePart& part) {
  Node node;
  node.kind = Kind::tile_copy;
  node.name = "padded";
  node.children = Copier(plan, part).run();
  return make(std::move(node));
}

}  // namespace convscope::cpu
