#include "app/cli/labs.h"

#include <algorithm>
#include <filesystem>
#include <new>
#include <thread>

#include <fmt/format.h>

#include "core/base/resources.h"
#include "core/explore/sweep/callers_thread.h"
#include "core/labs/outcome_json.h"
#include "core/labs/try_lab.h"

namespace convscope::cli {
namespace {

namespace fs = std::filesystem;

bool all_passed(const std::vector<labs::Grade>& grades) {
  return std::all_of(grades.begin(), grades.end(), [](const auto& each) { return each.outcome.passed(); });
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path result = fs::absolute(path, error);
  return error ? path : result.string();
}

std::vector<std::string> files_of(const std::vector<std::string>& names, Diagnostics& diagnostics) {
  std::vector<std::string> files;
  for (const std::string& name : names) {
    std::error_code error;
    const bool folder = fs::is_directory(name, error);
    const auto found = folder ? labs::submissions_in(name, diagnostics) : std::vector{name};
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

std::vector<std::string> child_command(const labs::OpenLab& lab) {
  return {
      fs::read_symlink("/proc/self/exe").string(), "lab", "check", "--json", "--threads", "1", absolute(lab.folder)};
}

int processes(const Context& context) {
  return context.threads > 0 ? context.threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace

labs::OpenLabPointer open_lab(const std::string& name, Context& context) {
  std::error_code error;
  const std::string sample = sample_path("labs/" + name);
  const bool is_sample = name.find('/') == std::string::npos && !fs::exists(name, error) && fs::exists(sample, error);
  Diagnostics diagnostics;
  auto lab = labs::open_lab(is_sample ? sample : name, *context.catalogue, diagnostics);
  context.console.report(diagnostics);
  return lab;
}

ExitCode check_lab(const labs::OpenLab& lab, Context& context) {
  explore::CallersThread executor;
  const auto cache = engine::make_memory_cache();
  Diagnostics diagnostics;
  labs::try_lab(lab, {executor, *cache, context.interrupt.token()}, diagnostics);
  context.console.report(diagnostics);
  context.console.data(
      fmt::format("{}: correct: {} tasks, {:g} points\n", lab.lab.name, lab.lab.tasks.size(), lab.lab.points()));
  return done;
}

ExitCode check_submissions(const labs::OpenLab& lab, const std::vector<std::string>& files, GradeFormat format,
                           Context& context) try {
  explore::CallersThread executor;
  const auto cache = engine::make_memory_cache();
  std::vector<labs::Grade> grades;
  for (const std::string& file : files)
    grades.push_back({file, check_file(lab, file, {executor, *cache, context.interrupt.token()})});
  if (format == GradeFormat::csv) context.console.data(grades_csv(lab.lab, grades));
  if (format == GradeFormat::text) context.console.data(grades_text(lab.lab, grades));
  std::vector<std::pair<std::string, labs::Outcome>> outcomes;
  for (labs::Grade& each : grades) outcomes.emplace_back(each.file, each.outcome);
  if (format == GradeFormat::json) context.console.data(check_json(lab.lab, outcomes));
  return all_passed(grades) ? done : not_all_passed;
} catch (const std::bad_alloc&) {
  context.console.error("out of memory");
  return refused;
}

ExitCode grade_submissions(const labs::OpenLabPointer& lab, const std::vector<std::string>& names, GradeFormat format,
                           Context& context) {
  Diagnostics diagnostics;
  const std::vector<std::string> files = files_of(names, diagnostics);
  if (files.empty()) diagnostics.error({names.front(), 0, {}}, "no submission here", "files that end in .xml");
  context.console.report(diagnostics);
  if (diagnostics.has_errors()) return refused;
  std::vector<std::string> paths;
  for (const std::string& file : files) paths.push_back(absolute(file));
  auto grades = labs::grade({lab, paths, child_command(*lab), processes(context)}, context.interrupt.token(),
                            context.console.progress());
  context.console.clear_progress();
  for (std::size_t i = 0; i < grades.size(); ++i) grades[i].file = files[i];
  if (format == GradeFormat::csv) context.console.data(grades_csv(lab->lab, grades));
  if (format == GradeFormat::text) context.console.data(grades_text(lab->lab, grades));
  if (format == GradeFormat::json) context.console.data(grades_json(*lab, grades));
  return all_passed(grades) ? done : not_all_passed;
}

}  // namespace convscope::cli
