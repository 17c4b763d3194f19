#include "core/readers/convnet_xml/convnet_xml.h"

#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/base/xml.h"
#include "core/readers/convnet_xml/layer_chain.h"
#include "core/readers/convnet_xml/layer_descriptor.h"
#include "core/readers/convnet_xml/numbers.h"

namespace convscope::readers {
namespace {

constexpr int layer_cap = 65536;
constexpr std::size_t name_cap = 200;

// An entry of a connection list takes two characters at least, so the cap on text is also one on connections.
constexpr std::size_t connection_cap = std::size_t{16} << 20;
static_assert(XmlDocument::size_cap / 2 <= connection_cap);

class DescriptorReader {
 public:
  DescriptorReader(const XmlDocument& document, std::string file, Diagnostics& findings)
      : document_(document), file_(std::move(file)), findings_(findings) {}

  std::optional<network::Network> read() {
    if (!check_root()) return std::nullopt;
    for (const pugi::xml_node child : document_.root().children()) read_child(child);
    check_layer_count();
    check_chain(layers_, findings_);
    if (findings_.has_errors()) return std::nullopt;
    network::Network network{document_.root().attribute("name").value(), file_, "convnet_xml",
                             connect(std::move(layers_)), nullptr};
    check_work(network.layers, file_, findings_);
    if (findings_.has_errors()) return std::nullopt;
    return network;
  }

 private:
  Location at_root() const { return document_.location(document_.root(), "convNetDescriptor"); }

  bool check_root() {
    const pugi::xml_node root = document_.root();
    if (std::string_view(root.name()) != "convNetDescriptor") {
      findings_.error(document_.location(root, {}),
                      fmt::format("the root element is {}", convscope::quoted(root.name())), "convNetDescriptor");
      return false;
    }
    check_attributes(root, {"name", "layerCount"}, at_root(), findings_);
    check_name(root.attribute("name").value());
    return true;
  }

  void check_name(std::string_view name) {
    if (name.empty()) {
      findings_.error(at_root(), "attribute 'name' is missing or empty", "the network's name");
    } else if (name.size() > name_cap || name != clean(name)) {  // pugixml passes bytes on unchecked
      findings_.error(at_root(), fmt::format("the network's name is {}", convscope::quoted(name)),
                      fmt::format("at most {} bytes of UTF-8 text without control characters", name_cap));
    }
  }

  void read_child(pugi::xml_node child) {
    if (child.type() != pugi::node_element) {
      findings_.error(at_root(), fmt::format("unexpected text {}", convscope::quoted(trimmed(child.value()))),
                      "elements only");
    } else if (std::string_view(child.name()) != "layerDescriptor") {
      findings_.error(document_.location(child, "convNetDescriptor"),
                      fmt::format("unknown element {}", convscope::quoted(child.name())), "layerDescriptor");
    } else {
      const int position = static_cast<int>(layers_.size());
      const int available_maps = layers_.empty() ? map_cap : layers_.back().out_count.value;
      layers_.push_back(read_layer(document_, child, position, available_maps, findings_));
      check_index(child, position);
    }
  }

  void check_index(pugi::xml_node node, int position) {
    const Location where = layers_.back().where;
    if (!node.attribute("idx")) {
      findings_.error(where, "attribute 'idx' is missing", fmt::format("idx=\"{}\"", position));
      return;
    }
    const auto index = read_integer(node.attribute("idx").value(), {0, layer_cap - 1, {}}, "idx", where, findings_);
    if (!index) return;
    const auto [first, is_new] = index_lines_.emplace(*index, where.line);
    if (!is_new) {
      findings_.error(where, fmt::format("layer idx {} stands twice, first in line {}", *index, first->second));
    } else if (*index != position) {
      findings_.error(where, fmt::format("layer idx {} is out of order", *index), fmt::format("idx=\"{}\"", position));
    }
  }

  void check_layer_count() {
    const pugi::xml_attribute attribute = document_.root().attribute("layerCount");
    if (!attribute) {
      findings_.error(at_root(), "attribute 'layerCount' is missing", fmt::format("layerCount=\"{}\"", layers_.size()));
      return;
    }
    const auto count = read_integer(attribute.value(), {1, layer_cap, {}}, "layerCount", at_root(), findings_);
    if (count && *count != static_cast<int>(layers_.size()))
      findings_.error(at_root(), fmt::format("layerCount is {} but there are {} layers", *count, layers_.size()));
  }

  const XmlDocument& document_;
  std::string file_;
  Diagnostics& findings_;
  std::vector<LayerDescriptor> layers_;
  std::map<int, int> index_lines_;
};

}  // namespace

bool is_convnet_xml(std::string_view text) {
  // Every file that is opened passes here; hundreds of megabytes of weights are not searched for a word.
  constexpr std::size_t head = 1 << 16;
  return text.substr(0, head).find("<convNetDescriptor") != std::string_view::npos;
}

std::optional<network::Network> read_convnet_xml(std::string_view text, const std::string& file,
                                                 Diagnostics& diagnostics) {
  const auto document = XmlDocument::parse(text, file, diagnostics);
  if (!document) return std::nullopt;
  Diagnostics findings;
  auto network = DescriptorReader(*document, file, findings).read();
  diagnostics.append(findings);
  return network;
}

}  // namespace convscope::readers
