#include "core/labs/grade.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "core/base/child_process.h"
#include "core/base/text.h"
#include "core/labs/outcome_json.h"

namespace convscope::labs {
namespace {

namespace fs = std::filesystem;

// Nets below the budgets of steps and memory: nothing that keeps to those comes near.
constexpr int last_cpu_seconds = 30;
constexpr std::chrono::minutes last_wall{10};
constexpr std::size_t largest_answer = std::size_t{4} << 20;
constexpr std::size_t most_files = 100'000;
constexpr int deepest_folder = 8;

// Address sanitizers take terabytes of address space for themselves.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool limits_memory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool limits_memory = false;
#else
constexpr bool limits_memory = true;
#endif
#else
constexpr bool limits_memory = true;
#endif

ChildLimits limits_of(const Budget& budget) {
  ChildLimits limits;
  limits.wall = last_wall;
  limits.cpu_seconds = last_cpu_seconds;
  limits.address_space = limits_memory ? static_cast<std::uint64_t>(budget.mebibytes) << 20 : 0;
  limits.no_files = true;
  limits.output = largest_answer;
  return limits;
}

/// Why a process gave no outcome.
std::string failure_text(const ChildResult& child, const Budget& budget) {
  if (child.errors.find("out of memory") != std::string::npos)
    return fmt::format("it takes more memory than the lab's budget of {} MiB", budget.mebibytes);
  if (child.cpu_seconds > last_cpu_seconds - 2)
    return fmt::format("it was still not graded after {} s of computing", last_cpu_seconds);
  return "grading it failed: " + clean(child.failure);
}

class Grader {
 public:
  Grader(const GradeRequest& request, const std::stop_token& stop, const ProgressCallback& progress)
      : request_(request), stop_(stop), progress_(progress), grades_(request.files.size()) {}

  std::vector<Grade> run() {
    const auto count = std::min<std::size_t>(request_.files.size(), static_cast<std::size_t>(request_.processes));
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back([this] { work(); });
    work();
    threads.clear();
    throw_if_stopped(stop_);
    return std::move(grades_);
  }

 private:
  void work() {
    for (;;) {
      const std::size_t index = next_++;
      if (index >= grades_.size() || stop_.stop_requested()) return;
      grades_[index] = {request_.files[index], grade(request_.files[index])};
      tell();
    }
  }

  Outcome grade(const std::string& file) const {
    ChildRequest child;
    child.arguments = request_.command;
    child.arguments.push_back(file);
    child.limits = limits_of(request_.lab->lab.budget);
    const ChildResult result = run_child(child, stop_);
    if (result.end == ChildResult::End::exited)
      if (auto outcome = read_check_json(request_.lab->lab, result.output)) return *std::move(outcome);
    return refused(request_.lab->lab, {}, {failure_text(result, request_.lab->lab.budget)});
  }

  void tell() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (progress_)
      progress_(static_cast<double>(done_) / static_cast<double>(grades_.size()),
                fmt::format("grading: {} of {}", done_, grades_.size()));
  }

  const GradeRequest& request_;
  const std::stop_token& stop_;
  const ProgressCallback& progress_;
  std::vector<Grade> grades_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

bool leads_out(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  const fs::path inner = fs::canonical(file, error);
  if (error) return true;
  return std::mismatch(folder.begin(), folder.end(), inner.begin(), inner.end()).first != folder.end();
}

}  // namespace

std::vector<Grade> grade(const GradeRequest& request, const std::stop_token& stop, const ProgressCallback& progress) {
  return Grader(request, stop, progress).run();
}

std::vector<std::string> submissions_in(const std::string& folder, Diagnostics& diagnostics) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  fs::recursive_directory_iterator entries(folder, error);
  if (error) {
    diagnostics.error({folder, 0, {}}, "this folder can't be read: " + error.message(), "a folder of submissions");
    return {};
  }
  std::vector<std::string> files;
  for (const fs::recursive_directory_iterator end; !error && entries != end; entries.increment(error)) {
    const fs::path& path = entries->path();
    if (entries.depth() >= deepest_folder) entries.disable_recursion_pending();
    std::error_code unknown;
    if (!entries->is_symlink(unknown) && entries->is_directory(unknown)) continue;
    if (path.extension() != ".xml") {
      diagnostics.warning({path.string(), 0, {}}, "is left out", "submissions, in files that end in .xml");
    } else if (leads_out(path, root)) {
      diagnostics.warning({path.string(), 0, {}}, "is left out: it leads out of the folder", "a file in it");
    } else if (files.size() < most_files) {
      files.push_back(path.string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace convscope::labs
