#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/labs/grade.h"
#include "core/labs/outcome_json.h"

namespace convscope::labs {
namespace {

using Json = nlohmann::ordered_json;

std::size_t passed_by(const std::vector<Grade>& grades, std::size_t task) {
  return static_cast<std::size_t>(
      std::count_if(grades.begin(), grades.end(), [&](const Grade& each) { return each.outcome.tasks[task].passed; }));
}

/// As wide whatever their number, so that names stay in their column.
std::string hints_of(const Grade& grade) {
  int hints = 0;
  for (const TaskOutcome& each : grade.outcome.tasks) hints += each.hints;
  return hints == 0 ? std::string(9, ' ') : fmt::format("{:>3} {:<5}", hints, hints == 1 ? "hint" : "hints");
}

std::string line_of(const Lab& lab, const Grade& grade, std::size_t width) {
  std::string marks;
  for (const TaskOutcome& each : grade.outcome.tasks) marks += each.passed ? " pass" : "    -";
  return fmt::format("{:<{}} {} {:>6g} of {:g} {}  {}\n", clean(grade.file), width, marks, grade.outcome.points(),
                     lab.points(), hints_of(grade), clean(grade.outcome.by));
}

std::string reasons_of(const Grade& grade) {
  std::string lines;
  for (const std::string& each : grade.outcome.refusals) lines += fmt::format("    refused: {}\n", clean(each));
  if (!grade.outcome.refusals.empty()) return lines;
  for (const std::string& each : grade.outcome.notes) lines += fmt::format("    note: {}\n", clean(each));
  for (const TaskOutcome& task : grade.outcome.tasks)
    for (const std::string& reason : task.reasons) lines += fmt::format("    {}: {}\n", task.task, clean(reason));
  return lines;
}

/// In quotes where commas, quotes or ends of lines would tear it apart; nothing that a table program takes for a
/// formula.
std::string csv_field(const std::string& text) {
  std::string field = clean(text);
  if (!field.empty() && std::string_view("=+-@").find(field.front()) != std::string_view::npos) field.insert(0, "'");
  if (field.find_first_of(",\"\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::string grades_text(const Lab& lab, const std::vector<Grade>& grades) {
  std::size_t width = 10;
  for (const Grade& each : grades) width = std::max(width, clean(each.file).size());
  std::string text = fmt::format("{}: {}\n\n", lab.name, lab.title);
  for (std::size_t i = 0; i < lab.tasks.size(); ++i)
    text += fmt::format("{:>3}. {} ({:g}): passed by {} of {}\n", i + 1, lab.tasks[i].title, lab.tasks[i].points,
                        passed_by(grades, i), grades.size());
  text += '\n';
  for (const Grade& each : grades) text += line_of(lab, each, width) + reasons_of(each);
  const auto all = std::count_if(grades.begin(), grades.end(), [](const Grade& each) { return each.outcome.passed(); });
  return text + fmt::format("\n{} of {} passed all tasks\n", all, grades.size());
}

std::string grades_csv(const Lab& lab, const std::vector<Grade>& grades) {
  std::string csv = "file,by,task,passed,points,of,reasons,hints\n";
  for (const Grade& each : grades)
    for (std::size_t i = 0; i < lab.tasks.size(); ++i) {
      const TaskOutcome& task = each.outcome.tasks[i];
      const auto& reasons = each.outcome.refusals.empty() ? task.reasons : each.outcome.refusals;
      csv += fmt::format("{},{},{},{},{},{},{},{}\n", csv_field(each.file), csv_field(each.outcome.by), task.task,
                         task.passed ? "true" : "false", task.points, lab.tasks[i].points,
                         csv_field(fmt::format("{}", fmt::join(reasons, "; "))), task.hints);
    }
  return csv;
}

std::string grades_json(const OpenLab& lab, const std::vector<Grade>& grades) {
  Json json{{"schema", "convscope-lab-grades"},
            {"version", 1},
            {"lab", lab.lab.name},
            {"title", lab.lab.title},
            {"hash", lab.hash},
            {"of", lab.lab.points()},
            {"tasks", Json::array()}};
  for (std::size_t i = 0; i < lab.lab.tasks.size(); ++i)
    json["tasks"].push_back({{"task", lab.lab.tasks[i].name},
                             {"title", lab.lab.tasks[i].title},
                             {"points", lab.lab.tasks[i].points},
                             {"passed_by", passed_by(grades, i)}});
  json["submissions"] = Json::array();
  for (const Grade& each : grades) {
    Json one{{"file", each.file}};
    one.update(outcome_json(lab.lab, each.outcome));
    json["submissions"].push_back(std::move(one));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace convscope::labs
