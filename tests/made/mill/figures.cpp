#include "tests/made/mill/figures.h"

#include "tests/made/mill/machine.h"

namespace convscope::made::mill {

const std::vector<artifact::FigureDescription>& figures() {
  using artifact::Better;
  static const std::vector<artifact::FigureDescription> all = {
      {.key = grist, .label = "Grist"},
      {.key = sacks, .label = "Sacks", .unit = "sack", .better = Better::less, .objective = true},
      {.key = grains_per_sack,
       .label = "Grains / sack",
       .unit = "grain/sack",
       .better = Better::more,
       .ratio = true,
       .artifacts = {artifact::ArtifactKind::schedule}},
      {.key = cart_turns, .label = "Turns of carts", .unit = "turn", .better = Better::less, .detail = true},
      {.key = stone_weight,
       .label = "Weight of stones",
       .unit = "kg",
       .better = Better::less,
       .objective = true,
       .cost = true}};
  return all;
}

artifact::NamedQuantity number(const char* key, double value, Origin origin) {
  return artifact::described(figures(), key, value, origin);
}

artifact::NamedQuantity word(const char* key, const std::string& text) {
  return {key, {0, "", Origin::derived}, text};
}

}  // namespace convscope::made::mill
