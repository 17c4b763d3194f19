#include "core/arch/preset.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/base/xml.h"

namespace convscope::arch {
namespace {

// A comment inside a value would cut it in two, and only the first part would be read.
bool plain_value(pugi::xml_node parameter) {
  const pugi::xml_node only = parameter.first_child();
  return !only || (only == parameter.last_child() && only.type() != pugi::node_element);
}

// The document if its root is a preset that names its target.
std::optional<XmlDocument> open_preset(std::string_view xml, const std::string& file, Diagnostics& diagnostics) {
  auto document = XmlDocument::parse(xml, file, diagnostics);
  if (!document) return std::nullopt;
  const pugi::xml_node root = document->root();
  if (std::string_view(root.name()) != "preset") {
    diagnostics.error(document->location(root, fmt::format("element <{}>", root.name())), "this is no machine preset",
                      "<preset target=\"…\" name=\"…\"> as the outermost element");
    return std::nullopt;
  }
  if (*root.attribute("target").value() == '\0') {
    diagnostics.error(document->location(root, "element <preset>"), "attribute 'target' is missing or empty",
                      "the name of a target, e.g. target=\"nve\"");
    return std::nullopt;
  }
  return document;
}

// Reads the elements of one preset; keeps the line of each parameter for what is found later.
class Reader {
 public:
  Reader(const XmlDocument& document, ParameterValues values, Diagnostics& diagnostics)
      : document_(document), values_(std::move(values)), diagnostics_(diagnostics) {}

  void read() {
    check_attributes(document_.root(), {"target", "name", "title"},
                     document_.location(document_.root(), "element <preset>"), diagnostics_);
    for (const pugi::xml_node node : document_.root().children()) read_node(node);
  }

  // Constraints are asked only when each value is in its range.
  void check_constraints() {
    for (const Constraint& constraint : values_.description().constraints) {
      if (constraint.holds(values_)) continue;
      Diagnostic broken = broken_constraint(constraint, values_);
      broken.where = {document_.location(document_.root(), {}).file, line_of(constraint), broken.where.element};
      diagnostics_.add(std::move(broken));
    }
  }

  const ParameterValues& values() const { return values_; }

 private:
  void read_node(pugi::xml_node node) {
    if (node.type() != pugi::node_element) {
      diagnostics_.error(document_.location(node, "element <preset>"), "text outside of a <parameter>", "no text here");
    } else if (std::string_view(node.name()) != "parameter") {
      diagnostics_.error(document_.location(node, fmt::format("element <{}>", node.name())), "unknown element",
                         "<parameter name=\"…\">value</parameter>");
    } else {
      read_parameter(node);
    }
  }

  void read_parameter(pugi::xml_node node) {
    check_attributes(node, {"name"}, document_.location(node, "element <parameter>"), diagnostics_);
    const std::string name = node.attribute("name").value();
    const Location where = document_.location(node, fmt::format("parameter '{}'", name));
    if (name.empty()) {
      diagnostics_.error(document_.location(node, "element <parameter>"), "attribute 'name' is missing or empty",
                         "name=\"…\" with the name of a parameter");
    } else if (!plain_value(node)) {
      diagnostics_.error(where, "elements or comments inside a value", "a plain value");
    } else if (const auto index = values_.description().find(name); index && lines_.count(*index) != 0) {
      diagnostics_.error(where, fmt::format("given twice, first in line {}", lines_[*index]), "one value for each",
                         "remove one of them");
    } else {
      if (index) lines_[*index] = where.line;
      values_.set(name, trimmed(node.text().get()), diagnostics_, where);
    }
  }

  // The last parameter in the file that the constraint names, or the preset itself.
  int line_of(const Constraint& constraint) const {
    int line = document_.line(document_.root());
    for (const std::string& name : constraint.parameters)
      if (const auto found = lines_.find(values_.description().find(name).value()); found != lines_.end())
        line = std::max(line, found->second);
    return line;
  }

  const XmlDocument& document_;
  ParameterValues values_;
  Diagnostics& diagnostics_;
  std::map<std::size_t, int> lines_;  // by parameter
};

}  // namespace

std::string preset_target(std::string_view xml, const std::string& file, Diagnostics& diagnostics) {
  const auto document = open_preset(xml, file, diagnostics);
  return document ? document->root().attribute("target").value() : "";
}

std::string preset_name(std::string_view xml, const std::string& file, Diagnostics& diagnostics) {
  const auto document = open_preset(xml, file, diagnostics);
  return document ? document->root().attribute("name").value() : "";
}

std::optional<Preset> read_preset(std::string_view xml, const std::string& file,
                                  std::shared_ptr<const MachineDescription> description, Diagnostics& diagnostics) {
  Diagnostics found;
  std::optional<Preset> result;
  if (const auto document = open_preset(xml, file, found)) {
    const pugi::xml_node root = document->root();
    const std::string target = root.attribute("target").value();
    const std::string name = root.attribute("name").value();
    if (name.empty())
      found.error(document->location(root, "element <preset>"), "attribute 'name' is missing or empty",
                  "name=\"…\" with the name of the preset");
    if (target != description->target) {
      found.error(document->location(root, "element <preset>"), fmt::format("this preset is for target '{}'", target),
                  fmt::format("target=\"{}\"", description->target));
    } else {
      Reader reader(*document, ParameterValues(std::move(description)), found);
      reader.read();
      if (!found.has_errors()) reader.check_constraints();
      if (!found.has_errors()) result = Preset{name, root.attribute("title").value(), reader.values()};
    }
  }
  diagnostics.append(found);
  return result;
}

std::string write_preset(const Preset& preset) {
  const MachineDescription& description = preset.values.description();
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("preset");
  root.append_attribute("target") = description.target.c_str();
  root.append_attribute("name") = preset.name.c_str();
  root.append_attribute("title") = preset.title.c_str();
  for (std::size_t i = 0; i < description.parameters.size(); ++i) {
    pugi::xml_node parameter = root.append_child("parameter");
    parameter.append_attribute("name") = description.parameters[i].name.c_str();
    parameter.text() = preset.values.text(i).c_str();
  }
  std::ostringstream text;
  document.save(text, "  ", pugi::format_default, pugi::encoding_utf8);
  return text.str();
}

}  // namespace convscope::arch
