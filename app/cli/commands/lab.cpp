#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/labs.h"
#include "core/base/atomic_file.h"
#include "core/base/numbers.h"
#include "core/base/spares_inputs.h"
#include "core/labs/submission.h"

namespace convscope::cli {
namespace {

struct LabOptions {
  std::string action, lab, output, by, level;
  std::vector<std::string> submissions, settings, answers, programs, tilings;
  bool json = false, csv = false;

  GradeFormat format() const { return json ? GradeFormat::json : csv ? GradeFormat::csv : GradeFormat::text; }
};

struct Pair {
  std::string name, value;
};

/// "name=value"; the value may hold more of these signs.
Pair split(const std::string& text, char at = '=') {
  const std::size_t place = text.find(at);
  return place == std::string::npos ? Pair{text, {}} : Pair{text.substr(0, place), text.substr(place + 1)};
}

ExitCode list(Context& context) {
  for (const std::string& folder : labs::sample_labs()) {
    Diagnostics diagnostics;
    const auto lab = labs::open_lab(folder, *context.catalogue, diagnostics);
    context.console.report(diagnostics);
    if (lab)
      context.console.data(fmt::format("{:<20} {} ({}, {} tasks, {} minutes)\n", lab->lab.name, lab->lab.title,
                                       lab->target->title(), lab->lab.tasks.size(), lab->lab.minutes));
  }
  return done;
}

/// "T_R=4,T_C=8" behind the strategy; false, with a diagnostic, if it is none.
bool read_sizes(const std::string& text, labs::HandedTiling& tiling, Diagnostics& diagnostics) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const Pair size = split(text.substr(begin, end - begin));
    const auto value = parse_integer<std::int64_t>(size.value);
    if (!value) {
      diagnostics.error({"--tiling", 0, {}}, fmt::format("'{}' is no size", size.name + "=" + size.value),
                        "NAME=STRATEGY:SIZE=NUMBER,SIZE=NUMBER");
      return false;
    }
    tiling.sizes.push_back({size.name, *value});
    begin = end + 1;
  }
  return true;
}

/// What the options say, as a submission.
labs::Submission submission_of(const labs::OpenLab& lab, const LabOptions& options, Diagnostics& diagnostics) {
  labs::Submission submission;
  submission.lab = lab.lab.name;
  submission.hash = lab.hash;
  submission.by = options.by;
  submission.level = options.level;
  for (const std::string& each : options.settings)
    submission.parameters.push_back({split(each).name, split(each).value});
  for (const std::string& each : options.answers) submission.answers.push_back({split(each).name, split(each).value});
  for (const std::string& each : options.programs) {
    const Pair program = split(each);
    if (const auto text = read_file(program.value, diagnostics, labs::largest_submission))
      submission.programs.push_back({program.name, *text});
  }
  for (const std::string& each : options.tilings) {
    const Pair tiling = split(each), strategy = split(tiling.value, ':');
    submission.tilings.push_back({tiling.name, strategy.name, {}});
    read_sizes(strategy.value, submission.tilings.back(), diagnostics);
  }
  return submission;
}

/// Writes what reads back: what no submission may hold is told now, not by whoever grades it.
ExitCode submit(const labs::OpenLab& lab, const LabOptions& options, Context& context) {
  Diagnostics diagnostics;
  const std::string text = write_submission(submission_of(lab, options, diagnostics));
  if (!diagnostics.has_errors()) labs::read_submission(text, options.output, diagnostics);
  if (!diagnostics.has_errors()) write_file_atomically(options.output, text, diagnostics);
  context.console.report(diagnostics);
  return diagnostics.has_errors() ? refused : done;
}

ExitCode wrong(Context& context, const std::string& message) {
  context.console.error(message);
  return wrong_usage;
}

ExitCode run(const LabOptions& options, Context& context) {
  if (options.action == "list") return list(context);
  if (options.lab.empty()) return wrong(context, "which lab? convscope-cli lab " + options.action + " LAB");
  const auto lab = open_lab(options.lab, context);
  if (!lab) return refused;
  if (options.action == "submit") {
    if (options.output.empty()) return wrong(context, "lab submit writes a file: -o FILE");
    return submit(*lab, options, context);
  }
  if (options.action == "grade") {
    if (options.submissions.empty()) return wrong(context, "whose? convscope-cli lab grade LAB FOLDER");
    return grade_submissions(lab, options.submissions, options.format(), context);
  }
  if (options.submissions.empty()) return check_lab(*lab, context);
  return check_submissions(*lab, options.submissions, options.format(), context);
}

void add_submission_options(CLI::App& command, LabOptions& options) {
  command.add_option("-o,--output", options.output, "File that `submit` writes");
  command.add_option("--by", options.by, "Whose submission it is");
  command.add_option("--level", options.level, "Level that is handed in");
  command.add_option("--set", options.settings, "Parameter that is handed in")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->take_all();
  command.add_option("--answer", options.answers, "Answer to a question")
      ->type_name("QUESTION=ANSWER")
      ->allow_extra_args(false)
      ->take_all();
  command.add_option("--program", options.programs, "Program that is handed in")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false)
      ->take_all();
  command.add_option("--tiling", options.tilings, "Tiling that is handed in")
      ->type_name("NAME=STRATEGY:SIZE=NUMBER,...")
      ->allow_extra_args(false)
      ->take_all();
}

}  // namespace

Command add_lab(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "lab", "Labs: list those that come with the program, check a lab or submissions, make a submission, grade");
  const auto options = std::make_shared<LabOptions>();
  command->add_option("ACTION", options->action, "What to do: list, check, submit or grade")
      ->required()
      ->check(CLI::IsMember({"list", "check", "submit", "grade"}));
  command->add_option("LAB", options->lab, "Folder of a lab, or the name of one that comes with the program");
  command->add_option("SUBMISSION", options->submissions, "Submissions; to grade, folders of them as well");
  auto* json = command->add_flag("--json", options->json, "As JSON");
  command->add_flag("--csv", options->csv, "As CSV, a line for each submission and task")->excludes(json);
  add_submission_options(*command, *options);
  return {command, [options](Context& context) { return run(*options, context); }};
}

Command add_grade(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("grade", "Grade submissions of a lab, each in a process of its own, as `lab grade` does");
  const auto options = std::make_shared<LabOptions>();
  options->action = "grade";
  command->add_option("LAB", options->lab, "Folder of a lab, or the name of one that comes with the program")
      ->required();
  command->add_option("SUBMISSION", options->submissions, "Submissions, or folders of them")->required();
  auto* json = command->add_flag("--json", options->json, "As JSON");
  command->add_flag("--csv", options->csv, "As CSV, a line for each submission and task")->excludes(json);
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
