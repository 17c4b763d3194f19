#include "core/explore/space/space_reader.h"

#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/atomic_file.h"
#include "core/base/numbers.h"
#include "core/explore/space/family_reader.h"
#include "core/explore/space/hash.h"

namespace convscope::explore {
namespace {

constexpr double heaviest = 1e9;
constexpr int largest_side = 999'999;  // of an input, in pixels
// How far a space without any machine is searched for one before the sweep itself says what it removed.
constexpr std::uint64_t examined = 20'000;

class SpaceReader {
 public:
  SpaceReader(const XmlElements& elements, const SpaceSources& sources) : elements_(elements), sources_(sources) {}

  std::optional<Space> read(pugi::xml_node root) {
    elements_.check_attributes(root, {"name", "title", "minimum-coverage"}, {"name"});
    space_.name = root.attribute("name").value();
    space_.title = root.attribute("title").value();
    space_.minimum_coverage = elements_.number(root, "minimum-coverage", 1).value_or(1);
    if (space_.minimum_coverage < 0 || space_.minimum_coverage > 1)
      elements_.error(root, fmt::format("minimum-coverage is {}", space_.minimum_coverage), "a part from 0 to 1");
    for (const pugi::xml_node child : root.children()) read_child(root, child);
    // Targets say what their machines can be compared by.
    known_ = objectives_of(targets_);
    for (const pugi::xml_node child : root.children("objective")) read_objective(child);
    space_.outcomes = outcomes_of(targets_);
    if (space_.objectives.empty()) space_.objectives = default_objectives();
    check_completeness(root);
    if (elements_.diagnostics().has_errors()) return std::nullopt;
    return std::move(space_);
  }

 private:
  void read_child(pugi::xml_node root, pugi::xml_node child) {
    const std::string_view name = child.name();
    if (child.type() != pugi::node_element)
      return elements_.error(root, "text outside of its elements", "no text here");
    if (name == "network") return read_network(child);
    if (name == "objective") return;
    if (name != "machines") return elements_.error(child, "unknown element", "<network>, <machines> or <objective>");
    machines_ = true;
    if (auto target = sources_.target(child.attribute("target").value())) targets_.push_back(std::move(target));
    if (auto family = read_family(child, elements_, sources_)) space_.families.push_back(std::move(*family));
  }

  void read_network(pugi::xml_node node) {
    networks_ = true;
    if (!elements_.check_attributes(node, {"file", "weight", "batch", "input-size"}, {"file"})) return;
    const auto weight = elements_.number(node, "weight", 1);
    if (!weight) return;
    if (!(*weight > 0 && *weight <= heaviest))
      return elements_.error(node, fmt::format("a weight of {}", *weight),
                             fmt::format("above 0, at most {}", heaviest));
    std::optional<network::InputSizes> sizes;
    if (!read_sizes(node, sizes)) return;
    const std::string file = node.attribute("file").value();
    Diagnostics found;
    auto network = sources_.network(file, sizes, found);
    if (!network) return elements_.diagnostics().append(found);  // what a network lets pass is no matter here
    if (network->network->macs() <= 0 && network->network->unknown_layers() > 0)
      return elements_.error(node, "the sizes of this network's layers aren't known", "a network with known sizes",
                             "input-size=\"HEIGHTxWIDTH\" states that of its images");
    if (network->network->macs() <= 0)
      return elements_.error(node, "no layer of this network multiplies anything", "a network with convolutions");
    space_.networks.push_back({file, std::move(network->network), *weight, std::move(network->hash)});
  }

  bool read_sizes(pugi::xml_node node, std::optional<network::InputSizes>& sizes) {
    if (!node.attribute("batch") && !node.attribute("input-size")) return true;
    const bool stated = static_cast<bool>(node.attribute("batch"));
    const auto batch = elements_.number(node, "batch", 1);
    if (!batch) return false;
    if (*batch < 1 || *batch > 1e6 || *batch != std::int64_t(*batch))
      return elements_.error(node, fmt::format("a batch of {}", *batch), "an integer from 1 to 1000000"), false;
    sizes.emplace();
    sizes->batch = stated ? static_cast<int>(*batch) : network::stated_batch;
    if (!node.attribute("input-size")) return true;
    const auto size = parse_pair(node.attribute("input-size").value(), 'x');
    if (!size || size->first > largest_side || size->second > largest_side)
      return elements_.error(node, "input-size is no size", "HEIGHTxWIDTH in pixels, e.g. 224x224"), false;
    sizes->image = network::Size{size->first, size->second};
    return true;
  }

  void read_objective(pugi::xml_node node) {
    if (!elements_.check_attributes(node, {"name", "best"}, {"name"})) return;
    const std::string name = node.attribute("name").value();
    const artifact::FigureDescription* figure = artifact::find_figure(known_, name);
    if (!figure) return elements_.error(node, fmt::format("unknown objective '{}'", name), keys_of(known_));
    const std::string best = node.attribute("best").value();
    if (!best.empty() && best != "least" && best != "most")
      return elements_.error(node, fmt::format("best=\"{}\"", best), "least or most");
    for (const Objective& other : space_.objectives)
      if (other.key == name) return elements_.error(node, "this objective is given twice", "each once");
    space_.objectives.push_back({name, best.empty() ? figure->better == artifact::Better::more : best == "most"});
  }

  void check_completeness(pugi::xml_node root) {
    if (!networks_) elements_.error(root, "no network to judge machines by", "<network file=\"…\"/>");
    if (!machines_) elements_.error(root, "no machines", "<machines target=\"…\">");
    if (elements_.diagnostics().has_errors()) return;
    check_size(root);
    if (!elements_.diagnostics().has_errors()) check_contradictions(root);
  }

  void check_size(pugi::xml_node root) {
    std::uint64_t sum = 0;
    for (const Family& family : space_.families) {
      const auto size = family.size();
      if (!size || __builtin_add_overflow(sum, *size, &sum))
        return elements_.error(root, "the space has more points than 64 bits count", limit_text());
    }
    if (sum > largest_space)
      elements_.error(root, fmt::format("the space has {:.3g} points", static_cast<double>(sum)), limit_text());
  }

  static std::string limit_text() {
    return fmt::format("at most {:.0e} points, and {:.0e} for a full grid", static_cast<double>(largest_space),
                       static_cast<double>(largest_grid));
  }

  // Links and constraints that leave no machine at all are a mistake that nobody wants to wait for.
  void check_contradictions(pugi::xml_node root) {
    std::map<std::string, std::uint64_t> reasons;
    const std::uint64_t size = space_.size(), count = std::min(size, examined);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string reason = space_.point(i).removed;
      if (reason.empty()) return;
      ++reasons[reason];
    }
    if (count < size) return;
    std::vector<std::string> texts;
    for (const auto& [reason, times] : reasons) texts.push_back(fmt::format("{} ({} points)", reason, times));
    elements_.error(root, "links and constraints leave no point of the space",
                    fmt::format("at least one machine that breaks none of: {}", fmt::join(texts, "; ")));
  }

  const XmlElements& elements_;
  const SpaceSources& sources_;
  Space space_;
  Targets targets_;
  std::vector<artifact::FigureDescription> known_;  // objectives
  bool networks_ = false, machines_ = false;
};

std::string hash_of(const Space& space) {
  std::string parts = space.source;
  for (const WeightedNetwork& network : space.networks) parts += '\n' + network.hash;
  for (const Family& family : space.families)
    for (const PresetValues& preset : family.presets) parts += '\n' + preset.hash;
  return content_hash(parts);
}

}  // namespace

std::optional<Space> read_space(std::string_view xml, const std::string& file, const SpaceSources& sources,
                                Diagnostics& diagnostics) {
  Diagnostics own;  // so that only its own errors count
  const auto document = XmlDocument::parse(xml, file, own);
  std::optional<Space> space;
  if (document) {
    const XmlElements elements(*document, own);
    const pugi::xml_node root = document->root();
    if (std::string_view(root.name()) == "space")
      space = SpaceReader(elements, sources).read(root);
    else
      elements.error(root, "this is no space", "<space name=\"…\"> as the outermost element");
  }
  diagnostics.append(own);
  if (!space) return std::nullopt;
  space->source = xml;
  space->hash = hash_of(*space);
  return space;
}

std::optional<Space> read_space_file(const std::string& path, catalogue::CataloguePointer catalogue,
                                     Diagnostics& diagnostics) {
  const auto text = read_file(path, diagnostics);
  if (!text) return std::nullopt;
  const auto sources = file_sources(std::filesystem::path(path).parent_path().string(), std::move(catalogue));
  return read_space(*text, path, *sources, diagnostics);
}

}  // namespace convscope::explore
