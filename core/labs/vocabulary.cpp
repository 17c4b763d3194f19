#include "core/labs/vocabulary.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"
#include "core/target/resources.h"

namespace convscope::labs {
namespace {

bool is_figure(const OpenLab& lab, const std::string& key) {
  return artifact::find_figure(artifact::common_figures(), key) || artifact::find_figure(lab.target->figures(), key) ||
         key == "bound" || key == "verified" || key == "mapped";
}

bool is_of_machine(const OpenLab& lab, const std::string& key) {
  if (key == "level" || key == "coverage" || lab.start.description().find(key)) return true;
  const auto resources = lab.target->resources(lab.start);
  return std::any_of(resources.begin(), resources.end(), [&](const auto& each) { return each.key == key; });
}

std::string figures_text(const OpenLab& lab) {
  std::vector<std::string> keys;
  for (const auto& each : artifact::common_figures()) keys.push_back(each.key);
  for (const auto& each : lab.target->figures())
    if (!each.cost) keys.push_back(each.key);
  return fmt::format("{}, bound, verified or mapped", fmt::join(keys, ", "));
}

std::string layers_text(const OpenLab& lab) {
  std::vector<std::string> names;
  for (const network::Layer& layer : lab.network->layers) names.push_back(layer.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

class NameCheck {
 public:
  NameCheck(const OpenLab& lab, const std::string& file, Diagnostics& diagnostics)
      : lab_(lab), file_(file), diagnostics_(diagnostics) {}

  void check(const Task& task, const Requirement& requirement, const std::string& text) const {
    const Location where{file_, requirement.line, fmt::format("task '{}'", task.name)};
    const FigureName name = figure_name(text);
    if (name.whose == "program") return check_program(name, where);
    if (name.whose == "tiling") return check_tiling(name, where);
    if (name.whose.empty() && name.figure == "answer" && !name.subject.empty()) return;  // the reader has looked
    if (!name.subject.empty() && !lab_.layer(name.subject))
      return diagnostics_.error(where, fmt::format("there is no layer {}", in_quotes(name.subject)), layers_text(lab_));
    if (is_figure(lab_, name.figure) || (name.subject.empty() && is_of_machine(lab_, name.figure))) return;
    diagnostics_.error(where, fmt::format("{} is no figure", in_quotes(text)), figures_text(lab_),
                       "or a parameter, a resource, level, coverage, answer('…'), program.…('…'), tiling.…('…')");
  }

 private:
  void check_program(const FigureName& name, const Location& where) const {
    if (name.figure == "matches" || is_figure(lab_, name.figure)) return;
    diagnostics_.error(where, fmt::format("{} is no figure of a program", in_quotes(name.figure)),
                       "matches, " + figures_text(lab_));
  }

  void check_tiling(const FigureName& name, const Location& where) const {
    if (name.figure == "fits" || name.figure == "strategy" || is_figure(lab_, name.figure)) return;
    diagnostics_.error(where, fmt::format("{} is no figure of a tiling", in_quotes(name.figure)),
                       "fits, strategy, " + figures_text(lab_));
  }

  const OpenLab& lab_;
  const std::string& file_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_names(const OpenLab& lab, const std::string& file, Diagnostics& diagnostics) {
  const NameCheck names(lab, file, diagnostics);
  for (const Task& task : lab.lab.tasks)
    for (const Requirement& requirement : task.requirements)
      for (const std::string& name : requirement.expression.names()) names.check(task, requirement, name);
}

}  // namespace convscope::labs
