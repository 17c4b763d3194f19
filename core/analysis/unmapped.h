#pragma once
// Layers that a target doesn't map, told in groups: sixty-nine ReLUs are one thing to know, not sixty-nine.

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace convscope::analysis {

struct UnmappedLayers {
  std::string kind;                ///< operator of all of them; may be empty, if it isn't known
  std::string reason;              ///< why they aren't mapped, the same for all
  std::vector<std::string> names;  ///< in the order of the network
  double macs = 0;                 ///< of all of them together
  /// "conv1", or "69 Relu layers (relu1, relu2, relu3 and 66 more)"; long names are cut.
  std::string text() const;
  /// The same as the begin of a sentence: "conv1 is", "69 Relu layers (relu1, relu2, relu3 and 66 more) are".
  std::string subject() const;
};

/// Groups layers of one kind that have one reason.
class UnmappedGroups {
 public:
  void add(const std::string& kind, const std::string& name, const std::string& reason, double macs);
  /// Most MACs first, else as they were added: what is missed most isn't buried below what costs nothing.
  std::vector<UnmappedLayers> sorted() const;

 private:
  std::vector<UnmappedLayers> groups_;
  std::map<std::pair<std::string, std::string>, std::size_t> known_;
};

}  // namespace convscope::analysis
