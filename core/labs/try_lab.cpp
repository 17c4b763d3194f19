#include "core/labs/try_lab.h"

#include <filesystem>

#include <fmt/format.h>

namespace convscope::labs {
namespace {

bool is_handed_in(const FigureName& name) {
  return name.whose == "program" || name.whose == "tiling" || name.figure == "answer";
}

}  // namespace

void try_lab(const OpenLab& lab, const Workshop& workshop, Diagnostics& diagnostics) {
  const std::string file = (std::filesystem::path(lab.folder) / "lab.xml").string();
  const Submission nothing{.lab = lab.lab.name};
  Figures figures(lab, nothing, {lab.start, lab.level}, file, workshop);
  for (const Task& task : lab.lab.tasks)
    for (const Requirement& requirement : task.requirements)
      for (const std::string& name : requirement.expression.names())
        if (!is_handed_in(figure_name(name)) && !figures.value(name))
          diagnostics.warning({file, requirement.line, fmt::format("task '{}'", task.name)},
                              fmt::format("{} has no value on the lab's machine: {}", name, figures.reason(name)), {},
                              "many figures are a layer's: NAME('LAYER')");
}

}  // namespace convscope::labs
