#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/labs/lab_file.h"
#include "core/labs/xml_parts.h"

namespace convscope::labs {
namespace {

void write_machine(pugi::xml_node root, const StartMachine& machine) {
  pugi::xml_node node = root.append_child("machine");
  set_attribute(node, "target", machine.target);
  set_attribute(node, "preset", machine.preset);
  set_attribute(node, "level", machine.level);
  write_parameters(node, machine.parameters);
}

void write_allowance(pugi::xml_node root, const Allowance& allowance) {
  pugi::xml_node node = root.append_child("allow");
  set_attribute(node, "level", fmt::format("{}", fmt::join(allowance.levels, " ")));
  set_attribute(node, "parameter", allowance.parameter);
  if (allowance.from) set_attribute(node, "from", fmt::format("{}", *allowance.from));
  if (allowance.to) set_attribute(node, "to", fmt::format("{}", *allowance.to));
}

void write_question(pugi::xml_node root, const Question& question) {
  pugi::xml_node node = root.append_child("question");
  set_attribute(node, "name", question.name);
  set_attribute(node, "unit", question.unit);
  write_text(node, "text", question.text);
  for (const Choice& choice : question.choices) {
    pugi::xml_node child = node.append_child("choice");
    set_attribute(child, "name", choice.name);
    child.text().set(choice.text.c_str());
  }
}

void write_program(pugi::xml_node root, const ProgramWanted& wanted) {
  pugi::xml_node node = root.append_child("program");
  set_attribute(node, "name", wanted.name);
  set_attribute(node, "layer", wanted.layer);
  if (wanted.program != 0) set_attribute(node, "program", fmt::format("{}", wanted.program));
  write_text(node, "text", wanted.text);
}

void write_tiling(pugi::xml_node root, const TilingWanted& wanted) {
  pugi::xml_node node = root.append_child("tiling");
  set_attribute(node, "name", wanted.name);
  set_attribute(node, "layer", wanted.layer);
  write_text(node, "text", wanted.text);
}

void write_task(pugi::xml_node root, const Task& task) {
  pugi::xml_node node = root.append_child("task");
  set_attribute(node, "name", task.name);
  set_attribute(node, "title", task.title);
  set_attribute(node, "points", fmt::format("{}", task.points));
  write_text(node, "text", task.text);
  for (const std::string& hint : task.hints) node.append_child("hint").text().set(hint.c_str());
  for (const Requirement& requirement : task.requirements) {
    pugi::xml_node child = node.append_child("require");
    set_attribute(child, "otherwise", requirement.otherwise);
    child.text().set(requirement.expression.text().c_str());
  }
}

}  // namespace

std::string write_lab(const Lab& lab) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("lab");
  set_attribute(root, "name", lab.name);
  set_attribute(root, "title", lab.title);
  set_attribute(root, "network", lab.network);
  if (lab.minutes > 0) set_attribute(root, "minutes", fmt::format("{}", lab.minutes));
  write_machine(root, lab.machine);
  for (const Allowance& allowance : lab.allowances) write_allowance(root, allowance);
  pugi::xml_node budget = root.append_child("budget");
  set_attribute(budget, "steps", fmt::format("{}", lab.budget.steps));
  set_attribute(budget, "mebibytes", fmt::format("{}", lab.budget.mebibytes));
  for (const Question& question : lab.questions) write_question(root, question);
  for (const ProgramWanted& wanted : lab.programs) write_program(root, wanted);
  for (const TilingWanted& wanted : lab.tilings) write_tiling(root, wanted);
  for (const Task& task : lab.tasks) write_task(root, task);
  return document_text(document);
}

}  // namespace convscope::labs
