#include "core/readers/convnet_xml/layer_descriptor.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/readers/convnet_xml/numbers.h"

namespace convscope::readers {
namespace {

// Text around comments arrives in pieces.
std::string text_of(pugi::xml_node node, const Location& where, Diagnostics& findings) {
  std::string text;
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_element)
      findings.error(where, fmt::format("unknown element {}", convscope::quoted(child.name())), "text only");
    text += child.value();
  }
  return text;
}

struct FieldName {
  const char* name;
  Field LayerDescriptor::*field;
  int maximum;
};

constexpr FieldName field_names[] = {
    {"outHeight", &LayerDescriptor::out_height, dimension_cap},
    {"outWidth", &LayerDescriptor::out_width, dimension_cap},
    {"kernelHeight", &LayerDescriptor::kernel_height, dimension_cap},
    {"kernelWidth", &LayerDescriptor::kernel_width, dimension_cap},
    {"subHeight", &LayerDescriptor::sub_height, dimension_cap},
    {"subWidth", &LayerDescriptor::sub_width, dimension_cap},
    {"outCount", &LayerDescriptor::out_count, map_cap},
};

class LayerReader {
 public:
  LayerReader(const XmlDocument& document, pugi::xml_node node, int position, int available_maps, Diagnostics& findings)
      : document_(document), node_(node), available_maps_(available_maps), findings_(findings) {
    layer_.name = fmt::format("L{}", position + 1);
    layer_.where = at(node, {});
    if (position > 0) previous_ = fmt::format("layer 'L{}'", position);
  }

  LayerDescriptor read() {
    check_attributes(node_, {"idx"}, layer_.where, findings_);
    for (const pugi::xml_node child : node_.children()) read_child(child);
    for (const FieldName& entry : field_names)
      if ((layer_.*entry.field).where.line == 0)
        findings_.error(layer_.where, fmt::format("element '{}' is missing", entry.name));
    read_connections();
    return std::move(layer_);
  }

 private:
  Location at(pugi::xml_node node, const std::string& part) const {
    return document_.location(node, fmt::format("layer '{}'", layer_.name) + (part.empty() ? "" : ", " + part));
  }

  void read_child(pugi::xml_node child) {
    const std::string name = child.name();
    if (child.type() != pugi::node_element) {
      findings_.error(layer_.where, fmt::format("unexpected text {}", convscope::quoted(trimmed(child.value()))),
                      "elements only");
    } else if (name == "outNet") {
      connections_.push_back(child);
    } else {
      const auto* entry = std::find_if(std::begin(field_names), std::end(field_names),
                                       [&](const FieldName& field) { return name == field.name; });
      if (entry == std::end(field_names)) {
        findings_.error(at(child, {}), fmt::format("unknown element {}", convscope::quoted(name)),
                        "outHeight, outWidth, kernelHeight, kernelWidth, subHeight, subWidth, outCount or outNet");
      } else {
        read_field(child, *entry);
      }
    }
  }

  void read_field(pugi::xml_node child, const FieldName& entry) {
    Field& field = layer_.*entry.field;
    const Location where = at(child, entry.name);
    if (field.where.line > 0) {
      findings_.error(where, fmt::format("element '{}' stands twice, first in line {}", entry.name, field.where.line));
      return;
    }
    field.where = where;
    check_attributes(child, {}, where, findings_);
    field.value = read_integer(text_of(child, where, findings_), {1, entry.maximum, {}}, entry.name, where, findings_)
                      .value_or(0);
  }

  void read_connections() {
    const Field& count = layer_.out_count;
    if (count.value > 0 && count.value != static_cast<int>(connections_.size()))
      findings_.error(count.where,
                      fmt::format("outCount is {} but there are {} outNet elements", count.value, connections_.size()));
    layer_.inputs.resize(connections_.size());
    for (std::size_t i = 0; i < connections_.size(); ++i) read_connection(connections_[i], static_cast<int>(i));
  }

  void read_connection(pugi::xml_node node, int place) {
    const int index = read_index(node, place);
    const Location where = at(node, fmt::format("outNet {}", index < 0 ? place : index));
    check_attributes(node, {"idx", "cnt"}, where, findings_);
    std::vector<int> inputs = read_inputs(node, where);
    if (index >= 0 && index < static_cast<int>(layer_.inputs.size()))
      layer_.inputs[static_cast<std::size_t>(index)] = std::move(inputs);
  }

  // Negative if the idx is wrong.
  int read_index(pugi::xml_node node, int place) {
    const Location where = at(node, fmt::format("outNet {}", place));
    if (!node.attribute("idx")) {
      findings_.error(where, "attribute 'idx' is missing");
      return -1;
    }
    const int count = layer_.out_count.value > 0 ? layer_.out_count.value : map_cap;
    const auto index = read_integer(node.attribute("idx").value(), {0, count - 1, {}}, "idx", where, findings_);
    if (!index) return -1;
    const auto [first, is_new] = index_lines_.emplace(*index, where.line);
    if (is_new) return *index;
    findings_.error(where, fmt::format("outNet idx {} stands twice, first in line {}", *index, first->second));
    return -1;
  }

  std::vector<int> read_inputs(pugi::xml_node node, const Location& where) {
    Range range{0, (available_maps_ > 0 ? available_maps_ : map_cap) - 1, {}};
    if (available_maps_ > 0 && !previous_.empty())
      range.meaning = fmt::format("a map from 0 to {}: {} has {} maps", range.maximum, previous_, available_maps_);
    IntegerList list = read_list(text_of(node, where, findings_), range, where, findings_);
    check_count(node, list.length, where);
    check_distinct(list.values, where);
    return std::move(list.values);
  }

  void check_count(pugi::xml_node node, int length, const Location& where) {
    if (!node.attribute("cnt")) {
      findings_.error(where, "attribute 'cnt' is missing");
      return;
    }
    const auto count = read_integer(node.attribute("cnt").value(), {1, map_cap, {}}, "cnt", where, findings_);
    if (count && *count != length)
      findings_.error(where, fmt::format("cnt is {} but the list has {} entries", *count, length));
  }

  void check_distinct(std::vector<int> inputs, const Location& where) {
    std::sort(inputs.begin(), inputs.end());
    for (auto it = std::adjacent_find(inputs.begin(), inputs.end()); it != inputs.end();
         it = std::adjacent_find(std::upper_bound(it, inputs.end(), *it), inputs.end()))
      findings_.error(where, fmt::format("input map {} stands twice in the list", *it), "each input at most once");
  }

  const XmlDocument& document_;
  pugi::xml_node node_;
  int available_maps_;
  Diagnostics& findings_;
  std::string previous_;  // the layer before, as messages call it
  LayerDescriptor layer_;
  std::vector<pugi::xml_node> connections_;
  std::map<int, int> index_lines_;
};

}  // namespace

LayerDescriptor read_layer(const XmlDocument& document, pugi::xml_node node, int position, int available_maps,
                           Diagnostics& findings) {
  return LayerReader(document, node, position, available_maps, findings).read();
}

}  // namespace convscope::readers
