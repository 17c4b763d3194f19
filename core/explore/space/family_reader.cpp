#include "core/explore/space/family_reader.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/arch/preset.h"
#include "core/base/text.h"
#include "core/explore/space/axis_values.h"
#include "core/explore/space/hash.h"

namespace convscope::explore {
namespace {

class FamilyReader {
 public:
  FamilyReader(pugi::xml_node node, const XmlElements& elements, const SpaceSources& sources)
      : node_(node), elements_(elements), sources_(sources) {}

  std::optional<Family> read() {
    const std::size_t before = errors();
    if (!elements_.check_attributes(node_, {"target", "presets", "levels"}, {"target"})) return std::nullopt;
    if (!read_target()) return std::nullopt;
    read_presets();
    read_levels();
    if (errors() == before)
      for (const pugi::xml_node child : node_.children()) read_child(child);
    if (errors() == before) order_links();
    if (errors() != before) return std::nullopt;
    return std::move(family_);
  }

 private:
  std::size_t errors() const { return elements_.diagnostics().items().size(); }

  bool read_target() {
    const std::string id = node_.attribute("target").value();
    family_.target = sources_.target(id);
    if (!family_.target)
      elements_.error(node_, fmt::format("there is no target '{}'", id), "a target, e.g. nve or nmp");
    return family_.target != nullptr;
  }

  std::vector<std::string> listed(const char* attribute, const std::string& otherwise) {
    std::vector<std::string> names = words(node_.attribute(attribute).value(), list_separators);
    if (names.empty()) names.push_back(otherwise);
    if (std::set<std::string>(names.begin(), names.end()).size() != names.size())
      elements_.error(node_, fmt::format("a name is listed twice in '{}'", attribute), "each name once");
    return names;
  }

  void read_presets() {
    for (const std::string& name : listed("presets", family_.target->default_preset())) {
      const auto text = sources_.preset(name, *family_.target, elements_.where(node_), elements_.diagnostics());
      if (!text) continue;
      auto preset = arch::read_preset(*text, name, family_.target->machine(), elements_.diagnostics());
      if (preset) family_.presets.push_back({preset->name, std::move(preset->values), content_hash(*text)});
    }
  }

  void read_levels() {
    const std::vector<target::Level>& known = family_.target->levels();
    for (const std::string& name : listed("levels", family_.target->default_level())) {
      if (std::any_of(known.begin(), known.end(), [&](const auto& level) { return level.name == name; })) {
        family_.levels.push_back(name);
        continue;
      }
      std::vector<std::string> names;
      for (const target::Level& level : known) names.push_back(level.name);
      elements_.error(node_, fmt::format("target {} has no level '{}'", family_.target->id(), name),
                      fmt::format("{}", fmt::join(names, ", ")));
    }
  }

  void read_child(pugi::xml_node child) {
    const std::string_view name = child.name();
    if (child.type() != pugi::node_element)
      elements_.error(node_, "text outside of its elements", "no text here");
    else if (name == "parameter")
      read_parameter(child);
    else if (name == "constraint")
      read_constraint(child);
    else
      elements_.error(child, "unknown element", "<parameter> or <constraint>");
  }

  void read_parameter(pugi::xml_node node) {
    if (!elements_.check_attributes(node, {"name", "from", "to", "step", "factor", "equals"}, {"name"})) return;
    arch::ParameterValues values = family_.presets.front().values;
    const std::string name = node.attribute("name").value();
    const auto index = values.description().find(name);
    if (!index) {
      values.set(name, "0", elements_.diagnostics(), elements_.where(node));  // says which names there are
    } else if (const auto [line, inserted] = lines_.emplace(*index, elements_.where(node).line); !inserted) {
      elements_.error(node, fmt::format("'{}' is given twice, first in line {}", name, line->second),
                      "one range, list or link for each parameter");
    } else if (node.attribute("equals")) {
      read_link(node, *index);
    } else if (auto axis = read_axis_values(node, values, *index, elements_); !axis.empty()) {
      family_.axes.push_back({*index, std::move(axis)});
    }
  }

  void read_link(pugi::xml_node node, std::size_t parameter) {
    for (const char* other : {"from", "to", "step", "factor"})
      if (node.attribute(other)) return elements_.error(node, "both a range and a link", "one of them");
    const auto text = elements_.text(node);
    if (text && !text->empty()) return elements_.error(node, "both a list and a link", "one of them");
    const Location where = elements_.where(node);
    auto expression = Expression::parse(node.attribute("equals").value(), where, elements_.diagnostics());
    if (!expression || !text || !check_names(*expression, where, false)) return;
    link_lines_[parameter] = where;
    family_.links.push_back({parameter, std::move(*expression)});
  }

  void read_constraint(pugi::xml_node node) {
    elements_.check_attributes(node, {"reason"}, {});
    const auto text = elements_.text(node);
    if (!text) return;
    const Location where = elements_.where(node);
    auto expression = Expression::parse(*text, where, elements_.diagnostics());
    if (!expression || !check_names(*expression, where, true)) return;
    const std::string reason = node.attribute("reason").value();
    family_.rules.push_back({std::move(*expression), reason.empty() ? *text + " does not hold" : reason});
  }

  bool check_names(const Expression& expression, const Location& where, bool rule) {
    const arch::ParameterValues& values = family_.presets.front().values;
    bool fine = true;
    for (const std::string& name : expression.names()) {
      if (values.description().find(name) || name == "level" || name == "preset") continue;
      if (rule && resource_value(*family_.target, values, name)) continue;
      elements_.diagnostics().error(where, fmt::format("unknown name '{}' in '{}'", name, expression.text()),
                                    fmt::format("{}", fmt::join(known_names(rule), ", ")));
      fine = false;
    }
    return fine;
  }

  std::vector<std::string> known_names(bool rule) const {
    std::vector<std::string> names;
    for (const auto& parameter : family_.target->machine()->parameters) names.push_back(parameter.name);
    names.insert(names.end(), {"level", "preset"});
    if (rule)
      for (const auto& item : family_.target->resources(family_.presets.front().values)) names.push_back(item.key);
    return names;
  }

  // Parameters that a link reads and that are links themselves.
  std::set<std::size_t> needs(const Link& link) const {
    std::set<std::size_t> result;
    for (const std::string& name : link.expression.names())
      if (const auto index = family_.target->machine()->find(name); index && link_lines_.count(*index))
        result.insert(*index);
    return result;
  }

  // Each link after those that it reads; what is left over goes round in circles.
  void order_links() {
    std::vector<Link> ordered, left = std::move(family_.links);
    std::set<std::size_t> known;
    const auto ready = [&](const Link& link) {
      const std::set<std::size_t> wanted = needs(link);
      return std::includes(known.begin(), known.end(), wanted.begin(), wanted.end());
    };
    while (!left.empty()) {
      const auto next = std::find_if(left.begin(), left.end(), ready);
      if (next == left.end()) return report_circle(left);
      known.insert(next->parameter);
      ordered.push_back(std::move(*next));
      left.erase(next);
    }
    family_.links = std::move(ordered);
  }

  void report_circle(const std::vector<Link>& left) {
    std::vector<std::string> texts;
    for (const Link& link : left)
      texts.push_back(
          fmt::format("{} = {}", family_.target->machine()->parameters[link.parameter].name, link.expression.text()));
    elements_.diagnostics().error(link_lines_[left.front().parameter],
                                  fmt::format("links contradict each other: {}", fmt::join(texts, ", ")),
                                  "links that do not read each other in a circle");
  }

  pugi::xml_node node_;
  const XmlElements& elements_;
  const SpaceSources& sources_;
  Family family_;
  std::map<std::size_t, int> lines_;            // of parameters
  std::map<std::size_t, Location> link_lines_;  // of links
};

}  // namespace

std::optional<Family> read_family(pugi::xml_node node, const XmlElements& elements, const SpaceSources& sources) {
  return FamilyReader(node, elements, sources).read();
}

}  // namespace convscope::explore
