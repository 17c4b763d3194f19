#include "core/explore/space/space_draft.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"
#include "core/explore/space/xml_tools.h"

namespace convscope::explore {
namespace {

using Part = DraftPlace::Part;

/// Line breaks in fields would make more lines than elements.
std::string on_one_line(std::string_view text) {
  std::string result(trimmed(text));
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return result;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : on_one_line(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string attribute(const char* name, std::string_view value) {
  return trimmed(value).empty() ? std::string() : fmt::format(" {}=\"{}\"", name, escaped(value));
}

class DraftWriter {
 public:
  DraftText write(const SpaceDraft& draft) {
    line("<?xml version=\"1.0\" encoding=\"utf-8\"?>", {});
    line(fmt::format("<space name=\"{}\"{}{}>", escaped(draft.name), attribute("title", draft.title),
                     attribute("minimum-coverage", draft.minimum_coverage)),
         {});
    for (std::size_t i = 0; i < draft.networks.size(); ++i) write_network(draft.networks[i], i);
    for (std::size_t i = 0; i < draft.machines.size(); ++i) write_machines(draft.machines[i], i);
    for (std::size_t i = 0; i < draft.objectives.size(); ++i)
      line(fmt::format("  <objective name=\"{}\"{}/>", escaped(draft.objectives[i].name),
                       attribute("best", draft.objectives[i].best)),
           {Part::objective, i, 0});
    line("</space>", {});
    return std::move(text_);
  }

 private:
  void line(const std::string& xml, DraftPlace place) {
    text_.xml += xml + '\n';
    text_.lines.push_back(place);
  }

  void write_network(const DraftNetwork& network, std::size_t index) {
    line(fmt::format("  <network file=\"{}\"{}{}{}/>", escaped(network.file), attribute("weight", network.weight),
                     attribute("batch", network.batch), attribute("input-size", network.input_size)),
         {Part::network, index, 0});
  }

  void write_machines(const DraftMachines& machines, std::size_t index) {
    const DraftPlace own{Part::machines, 0, index};
    line(fmt::format("  <machines target=\"{}\"{}{}>", escaped(machines.target),
                     attribute("presets", fmt::format("{}", fmt::join(machines.presets, " "))),
                     attribute("levels", fmt::format("{}", fmt::join(machines.levels, " ")))),
         own);
    for (std::size_t i = 0; i < machines.parameters.size(); ++i)
      line(parameter(machines.parameters[i]), {Part::parameter, i, index});
    for (std::size_t i = 0; i < machines.constraints.size(); ++i)
      line(fmt::format("    <constraint{}>{}</constraint>", attribute("reason", machines.constraints[i].reason),
                       escaped(machines.constraints[i].expression)),
           {Part::constraint, i, index});
    line("  </machines>", own);
  }

  static std::string parameter(const DraftParameter& each) {
    const std::string name = escaped(each.name);
    if (each.form == DraftForm::link)
      return fmt::format("    <parameter name=\"{}\" equals=\"{}\"/>", name, escaped(each.equals));
    if (each.form == DraftForm::list)
      return fmt::format("    <parameter name=\"{}\">{}</parameter>", name, escaped(each.values));
    // A range without any number is the parameter's whole one.
    const bool whole = trimmed(each.from).empty() && trimmed(each.to).empty() && trimmed(each.step).empty();
    return fmt::format("    <parameter name=\"{}\"{}{}{}/>", name, whole ? " from=\"\"" : attribute("from", each.from),
                       attribute("to", each.to), attribute(each.factor ? "factor" : "step", each.step));
  }

  DraftText text_;
};

class DraftReader {
 public:
  explicit DraftReader(const XmlElements& elements) : elements_(elements) {}

  SpaceDraft read(pugi::xml_node root) {
    check(root, {"name", "title", "minimum-coverage"});
    draft_.name = root.attribute("name").value();
    draft_.title = root.attribute("title").value();
    draft_.minimum_coverage = root.attribute("minimum-coverage").value();
    for (const pugi::xml_node child : root.children()) {
      const std::string_view name = child.name();
      if (name == "network")
        read_network(child);
      else if (name == "machines")
        read_machines(child);
      else if (name == "objective")
        read_objective(child);
      else
        elements_.error(child, "unknown element", "<network>, <machines> or <objective>");
    }
    return std::move(draft_);
  }

 private:
  void check(pugi::xml_node node, const std::vector<std::string_view>& known) const {
    elements_.check_attributes(node, known, {});
  }

  void read_network(pugi::xml_node node) {
    check(node, {"file", "weight", "batch", "input-size"});
    draft_.networks.push_back({node.attribute("file").value(), node.attribute("weight").value(),
                               node.attribute("batch").value(), node.attribute("input-size").value()});
  }

  void read_objective(pugi::xml_node node) {
    check(node, {"name", "best"});
    draft_.objectives.push_back({node.attribute("name").value(), node.attribute("best").value()});
  }

  void read_machines(pugi::xml_node node) {
    check(node, {"target", "presets", "levels"});
    DraftMachines machines{node.attribute("target").value(),
                           words(node.attribute("presets").value(), list_separators),
                           words(node.attribute("levels").value(), list_separators),
                           {},
                           {}};
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = child.name();
      if (name == "parameter")
        machines.parameters.push_back(read_parameter(child));
      else if (name == "constraint")
        machines.constraints.push_back(read_constraint(child));
      else
        elements_.error(child, "unknown element", "<parameter> or <constraint>");
    }
    draft_.machines.push_back(std::move(machines));
  }

  DraftParameter read_parameter(pugi::xml_node node) const {
    check(node, {"name", "from", "to", "step", "factor", "equals"});
    DraftParameter parameter;
    parameter.name = node.attribute("name").value();
    parameter.equals = node.attribute("equals").value();
    parameter.from = node.attribute("from").value();
    parameter.to = node.attribute("to").value();
    parameter.factor = node.attribute("factor");
    parameter.step = node.attribute(parameter.factor ? "factor" : "step").value();
    parameter.values = on_one_line(elements_.text(node).value_or(""));
    const bool range = node.attribute("from") || node.attribute("to") || !parameter.step.empty();
    parameter.form = node.attribute("equals") ? DraftForm::link : range ? DraftForm::range : DraftForm::list;
    return parameter;
  }

  DraftConstraint read_constraint(pugi::xml_node node) const {
    check(node, {"reason"});
    return {on_one_line(elements_.text(node).value_or("")), node.attribute("reason").value()};
  }

  const XmlElements& elements_;
  SpaceDraft draft_;
};

std::string moved_path(const std::string& path, const std::string& from_folder, const std::string& to_folder) {
  namespace files = std::filesystem;
  if (path.empty()) return path;
  const files::path whole = files::absolute(files::path(from_folder) / path).lexically_normal();
  return to_folder.empty() ? whole.string() : whole.lexically_proximate(files::absolute(to_folder)).string();
}

bool is_file(const std::string& preset) {
  return preset.find('/') != std::string::npos || preset.ends_with(".xml");
}

}  // namespace

DraftText write_draft(const SpaceDraft& draft) {
  return DraftWriter().write(draft);
}

std::optional<SpaceDraft> read_draft(std::string_view xml, const std::string& file, Diagnostics& diagnostics) {
  Diagnostics own;
  std::optional<SpaceDraft> draft;
  if (const auto document = XmlDocument::parse(xml, file, own)) {
    const XmlElements elements(*document, own);
    if (std::string_view(document->root().name()) == "space")
      draft = DraftReader(elements).read(document->root());
    else
      elements.error(document->root(), "this is no space", "<space name=\"…\"> as the outermost element");
  }
  diagnostics.append(own);
  if (own.has_errors()) return std::nullopt;
  return draft;
}

SpaceDraft moved(SpaceDraft draft, const std::string& from_folder, const std::string& to_folder) {
  for (DraftNetwork& network : draft.networks) network.file = moved_path(network.file, from_folder, to_folder);
  for (DraftMachines& machines : draft.machines)
    for (std::string& preset : machines.presets)
      if (is_file(preset)) preset = moved_path(preset, from_folder, to_folder);
  return draft;
}

}  // namespace convscope::explore
