#include "core/labs/check.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"

namespace convscope::labs {
namespace {

/// What diagnostics say, without the file: a grade names it already.
std::vector<std::string> lines_of(const Diagnostics& diagnostics) {
  std::vector<std::string> lines;
  for (Diagnostic each : diagnostics.items()) {
    if (each.severity != Severity::error) continue;
    each.where.file.clear();
    const std::string line = each.where.line > 0 ? fmt::format("line {}: ", each.where.line) : std::string();
    each.where.line = 0;
    std::string text = each.text();
    constexpr std::string_view prefix = "error: ";
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
    lines.push_back(line + text);
  }
  return lines;
}

std::string value_text(const Figures::Value& value) {
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{:.6g}", *number);
  return in_quotes(std::get<std::string>(value));
}

bool is_answer(const std::string& name) {
  const FigureName taken = figure_name(name);
  return taken.whose.empty() && taken.figure == "answer" && !taken.subject.empty();
}

class TaskCheck {
 public:
  TaskCheck(const Task& task, Figures& figures) : task_(task), figures_(figures) {}

  TaskOutcome check() {
    outcome_.task = task_.name;
    for (const Requirement& requirement : task_.requirements) check(requirement);
    outcome_.passed = outcome_.reasons.empty();
    outcome_.points = outcome_.passed ? task_.points : 0;
    return std::move(outcome_);
  }

 private:
  void check(const Requirement& requirement) {
    const explore::Expression& expression = requirement.expression;
    const auto value = expression.value([&](std::string_view name) { return figures_.value(name); });
    const double* number = value ? std::get_if<double>(&*value) : nullptr;
    if (number && *number != 0) return;
    std::string why = mistake(expression);
    if (why.empty()) {
      why = asks(expression) ? answers(expression) : figures(expression);
      if (!requirement.otherwise.empty()) why = requirement.otherwise + " (" + why + ")";
    }
    if (std::find(outcome_.reasons.begin(), outcome_.reasons.end(), why) == outcome_.reasons.end())
      outcome_.reasons.push_back(std::move(why));
  }

  /// The first thing that is missing or wrong in itself, whatever is required of it; empty if there is none.
  std::string mistake(const explore::Expression& expression) {
    for (const std::string& name : expression.names()) {
      const auto value = figures_.value(name);
      const std::string reason = figures_.reason(name);
      const FigureName taken = figure_name(name);
      if (is_answer(name) || taken.whose == "program" || taken.whose == "tiling") {
        if (!reason.empty()) return reason;
      } else if (!value) {
        return fmt::format("{} has no value: {}", name, reason);
      }
    }
    return {};
  }

  static bool asks(const explore::Expression& expression) {
    return std::any_of(expression.names().begin(), expression.names().end(), is_answer);
  }

  /// A wrong answer is not told the right one.
  std::string answers(const explore::Expression& expression) {
    std::vector<std::string> given;
    for (const std::string& name : expression.names())
      if (is_answer(name))
        given.push_back(
            fmt::format("the answer to '{}' is not {}", figure_name(name).subject, value_text(*figures_.value(name))));
    return fmt::format("{}", fmt::join(given, "; "));
  }

  std::string figures(const explore::Expression& expression) {
    std::vector<std::string> values;
    for (const std::string& name : expression.names())
      values.push_back(fmt::format("{} is {}", name, value_text(*figures_.value(name))));
    return fmt::format("{} does not hold: {}", expression.text(), fmt::join(values, ", "));
  }

  const Task& task_;
  Figures& figures_;
  TaskOutcome outcome_;
};

std::vector<std::string> notes_of(const OpenLab& lab, const Submission& submission) {
  std::vector<std::string> notes;
  if (!submission.hash.empty() && submission.hash != lab.hash)
    notes.push_back("it was made for another version of the lab");
  for (const Answer& each : submission.answers)
    if (!find_named(lab.lab.questions, each.question))
      notes.push_back(fmt::format("there is no question {}", in_quotes(each.question)));
  for (const HandedProgram& each : submission.programs)
    if (!find_named(lab.lab.programs, each.name))
      notes.push_back(fmt::format("no program {} is asked for", in_quotes(each.name)));
  for (const HandedTiling& each : submission.tilings)
    if (!find_named(lab.lab.tilings, each.name))
      notes.push_back(fmt::format("no tiling {} is asked for", in_quotes(each.name)));
  for (const OpenedHints& each : submission.hints)
    if (!find_named(lab.lab.tasks, each.task))
      notes.push_back(fmt::format("there is no task {}", in_quotes(each.task)));
  return notes;
}

}  // namespace

bool Outcome::passed() const {
  return refusals.empty() &&
         std::all_of(tasks.begin(), tasks.end(), [](const TaskOutcome& each) { return each.passed; });
}

double Outcome::points() const {
  return std::accumulate(tasks.begin(), tasks.end(), 0.0,
                         [](double sum, const TaskOutcome& each) { return sum + each.points; });
}

Outcome refused(const Lab& lab, std::string by, std::vector<std::string> refusals) {
  Outcome outcome{std::move(by), std::move(refusals), {}, {}};
  for (const Task& task : lab.tasks) outcome.tasks.push_back({task.name, false, 0, {"the submission was refused"}, 0});
  return outcome;
}

Outcome check(const OpenLab& lab, const Submission& submission, const std::string& file, const Workshop& workshop) {
  if (submission.lab != lab.lab.name)
    return refused(lab.lab, submission.by,
                   {fmt::format("it is for the lab {}, not for '{}'", in_quotes(submission.lab), lab.lab.name)});
  Diagnostics diagnostics;
  auto machine = submitted_machine(lab, submission, file, diagnostics);
  if (!machine) return refused(lab.lab, submission.by, lines_of(diagnostics));
  Figures figures(lab, submission, *std::move(machine), file, workshop);
  Outcome outcome{submission.by, {}, notes_of(lab, submission), {}};
  for (const Task& task : lab.lab.tasks) {
    throw_if_stopped(workshop.stop);
    outcome.tasks.push_back(TaskCheck(task, figures).check());
    outcome.tasks.back().hints = submission.opened_hints(task.name);
  }
  return outcome;
}

Outcome check_file(const OpenLab& lab, const std::string& file, const Workshop& workshop) {
  Diagnostics diagnostics;
  const auto submission = load_submission(file, diagnostics);
  return submission ? check(lab, *submission, file, workshop) : refused(lab.lab, {}, lines_of(diagnostics));
}

}  // namespace convscope::labs
