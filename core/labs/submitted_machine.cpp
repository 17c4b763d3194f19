#include "core/labs/submitted_machine.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"

namespace convscope::labs {
namespace {

std::string open_parameters(const OpenLab& lab) {
  std::vector<std::string> names;
  for (const Allowance& each : lab.lab.allowances)
    if (!each.parameter.empty()) names.push_back(each.parameter);
  return names.empty() ? "the lab's machine as it is" : fmt::format("changes of {} alone", fmt::join(names, ", "));
}

class MachineBuilder {
 public:
  MachineBuilder(const OpenLab& lab, const std::string& file, Diagnostics& diagnostics)
      : lab_(lab), file_(file), diagnostics_(diagnostics) {}

  std::optional<SubmittedMachine> build(const Submission& submission) const {
    SubmittedMachine machine{lab_.start, submission.level.empty() ? lab_.level : submission.level};
    bool fine = check_level(machine.level);
    for (const Assignment& each : submission.parameters) fine &= set(each, machine.values);
    if (!fine || !check(machine.values)) return std::nullopt;
    return machine;
  }

 private:
  bool check_level(const std::string& level) const {
    const std::vector<std::string> levels = lab_.levels();
    if (std::find(levels.begin(), levels.end(), level) != levels.end()) return true;
    diagnostics_.error({file_, 0, "element <machine>"}, fmt::format("level {} is not open", in_quotes(level)),
                       fmt::format("{}", fmt::join(levels, ", ")));
    return false;
  }

  bool set(const Assignment& assignment, arch::ParameterValues& values) const {
    const Location where{file_, assignment.line, fmt::format("parameter {}", in_quotes(assignment.name))};
    if (!values.set(assignment.name, assignment.value, diagnostics_, where)) return false;
    const std::size_t index = *values.description().find(assignment.name);
    if (values.at(index) == lab_.start.at(index)) return true;
    const Allowance* allowance = lab_.allowance(assignment.name);
    if (!allowance) {
      diagnostics_.error(where, "is locked in this lab", open_parameters(lab_));
      return false;
    }
    const double value = values.at(index);
    if ((!allowance->from || value >= *allowance->from) && (!allowance->to || value <= *allowance->to)) return true;
    diagnostics_.error(where, fmt::format("is {}", values.text(index)),
                       fmt::format("{}{}", allowance->from ? fmt::format("from {} ", *allowance->from) : "",
                                   allowance->to ? fmt::format("to {}", *allowance->to) : "on"));
    return false;
  }

  bool check(const arch::ParameterValues& values) const {
    Diagnostics broken;
    if (values.check(broken)) return true;
    for (Diagnostic each : broken.items()) {
      each.where.file = file_;
      diagnostics_.add(std::move(each));
    }
    return false;
  }

  const OpenLab& lab_;
  const std::string& file_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<SubmittedMachine> submitted_machine(const OpenLab& lab, const Submission& submission,
                                                  const std::string& file, Diagnostics& diagnostics) {
  return MachineBuilder(lab, file, diagnostics).build(submission);
}

std::vector<Assignment> differences(const OpenLab& lab, const arch::ParameterValues& machine) {
  std::vector<Assignment> result;
  const auto& parameters = machine.description().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (machine.at(i) != lab.start.at(i)) result.push_back({parameters[i].name, machine.text(i)});
  return result;
}

}  // namespace convscope::labs
