#include "core/cpu/run/compile.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cancellation.h"
#include "core/base/child_process.h"
#include "core/base/text.h"

namespace convscope::cpu {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> compiler_flags(const Generated& program, const CompileOptions& options) {
  std::vector<std::string> flags{"-std=c++17", options.optimization, "-fPIC", "-ffp-contract=fast"};
  const auto family = family_flags(program.family);
  flags.insert(flags.end(), family.begin(), family.end());
  if (program.openmp) flags.push_back("-fopenmp");
  flags.insert(flags.end(), options.extra.begin(), options.extra.end());
  return flags;
}

/// The first lines that say what is wrong, paths of ours left out.
std::string first_lines(const std::string& message, const fs::path& folder) {
  std::string result;
  int lines = 0;
  for (const std::string& line : words(message, "\n")) {
    if (line.find("error") == std::string::npos && lines == 0) continue;
    std::string text = line;
    for (std::size_t at; (at = text.find(folder.string() + "/")) != std::string::npos;)
      text.erase(at, folder.string().size() + 1);
    result += (lines > 0 ? "\n" : "") + clean(text.substr(0, 200));
    if (++lines == 5) break;
  }
  return lines > 0 ? result : clean(message.substr(0, 200));
}

bool says(const std::string& message, std::initializer_list<const char*> signs) {
  return std::any_of(signs.begin(), signs.end(),
                     [&](const char* sign) { return message.find(sign) != std::string::npos; });
}

bool out_of_memory(const std::string& message) {
  return says(message, {"out of memory", "memory exhausted", "Cannot allocate memory", "bad_alloc"});
}

bool out_of_disk(const std::string& message) {
  return says(message, {"No space left on device", "Disk quota exceeded"});
}

/// Whether the tool made what it should; else `failure` tells.
bool run_tool(std::vector<std::string> arguments, const CompileOptions& options, const Workspace& workspace,
              const std::stop_token& stop, Outcome& failure) {
  ChildRequest request{std::move(arguments), {"LC_ALL=C", "TMPDIR=" + workspace.path().string()}};
  request.limits.wall = options.wall;
  request.limits.cpu_seconds = options.cpu_seconds;
  request.limits.address_space = options.address_space;
  request.limits.output = 64 << 10;
  const ChildResult result = run_child(request, stop);
  if (result.stopped()) throw Cancelled();
  if (result.end == ChildResult::End::exited && result.exit_code == 0) return true;
  if (result.end == ChildResult::End::timed_out || result.cpu_seconds >= options.cpu_seconds)
    failure =
        failed(Ending::timeout, fmt::format("the compiler was not done after {:.1f} s, {:.1f} s of CPU time",
                                            std::chrono::duration<double>(options.wall).count(), result.cpu_seconds));
  else if (out_of_disk(result.errors))  // nothing is wrong with the program
    failure = failed(Ending::unavailable,
                     fmt::format("{}: no room for what the compiler writes; TMPDIR can name another folder",
                                 workspace.path().parent_path().string()));
  else if (out_of_memory(result.errors))
    failure = failed(Ending::memory, "the compiler needs more memory than its limit");
  else
    failure = failed(Ending::compile_error, result.errors.empty() ? "the compiler ended with " + result.failure
                                                                  : first_lines(result.errors, workspace.path()));
  return false;
}

bool write_source(const fs::path& path, const std::string& text, Outcome& failure) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return true;
  failure = failed(Ending::unavailable, fmt::format("{}: the source can't be written: {}", path.parent_path().string(),
                                                    std::strerror(errno)));
  return false;
}

struct Removed {
  fs::path path;
  ~Removed() {
    std::error_code error;
    fs::remove(path, error);
  }
};

constexpr std::string_view workspace_prefix = "convscope-measure-";
constexpr auto fresh = std::chrono::minutes(1);  // its maker may not have locked it yet

/// Nothing if somebody works there.
FileDescriptor locked(const fs::path& folder) {
  FileDescriptor descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (descriptor && flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0) descriptor.reset();
  return descriptor;
}

/// Removes our own folders that nobody works in any more.
void remove_abandoned(const fs::path& temporary) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(temporary, error)) {
    if (!entry.path().filename().string().starts_with(workspace_prefix)) continue;
    const FileDescriptor lock = locked(entry.path());
    struct stat status {};
    if (!lock || fstat(lock.get(), &status) != 0 || status.st_uid != geteuid()) continue;
    if (std::chrono::system_clock::from_time_t(status.st_mtime) + fresh > std::chrono::system_clock::now()) continue;
    fs::remove_all(entry.path(), error);
  }
}

}  // namespace

std::optional<Workspace> Workspace::create(Diagnostics& diagnostics) {
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error), folder = error ? fs::path("/tmp") : temporary;
  remove_abandoned(folder);
  std::string pattern = (folder / (std::string(workspace_prefix) + "XXXXXX")).string();
  if (mkdtemp(pattern.data()) != nullptr) return Workspace(pattern, locked(pattern));
  diagnostics.error({pattern, 0, {}}, fmt::format("no folder for compiling can be made: {}", std::strerror(errno)),
                    "a temporary folder with room", "set TMPDIR to one");
  return std::nullopt;
}

Workspace::Workspace(Workspace&& other) noexcept : path_(std::move(other.path_)), lock_(std::move(other.lock_)) {
  other.path_.clear();
}

Workspace::~Workspace() {
  std::error_code error;
  if (!path_.empty()) fs::remove_all(path_, error);
}

Compiled::~Compiled() {
  std::error_code error;
  fs::remove(library, error);
}

std::string flags_text(const Generated& program, const CompileOptions& options) {
  std::string text;
  for (const std::string& flag : compiler_flags(program, options)) text += (text.empty() ? "" : " ") + flag;
  return text;
}

std::shared_ptr<const Compiled> compile(const Generated& program, const Toolchain& toolchain,
                                        const CompileOptions& options, const Workspace& workspace,
                                        const std::stop_token& stop, Outcome& failure) {
  throw_if_stopped(stop);
  static std::atomic<int> counter = 0;
  const std::string stem = fmt::format("program{}", ++counter);
  const fs::path base = workspace.path() / stem;
  const Removed source{base.string() + ".cpp"}, object{base.string() + ".o"};
  const auto compiled = std::make_shared<Compiled>(base.string() + ".so");
  compiled->compiler = toolchain.version;
  compiled->flags = flags_text(program, options);
  failure = Outcome{};
  std::vector<std::string> command{toolchain.compiler};
  const auto flags = compiler_flags(program, options);
  command.insert(command.end(), flags.begin(), flags.end());
  const bool at_once = options.with_libraries || program.openmp || toolchain.linker.empty();
  if (at_once) command.push_back("-shared");
  command.insert(command.end(), {"-pipe", at_once ? "-Wl,-z,noexecstack" : "-c", source.path.string(), "-o",
                                 (at_once ? compiled->library : object.path).string()});
  bool done = write_source(source.path, program.source, failure) &&
              run_tool(std::move(command), options, workspace, stop, failure);
  if (done && !at_once) {
    done = run_tool(
        {toolchain.linker, "-shared", "-z", "noexecstack", "-o", compiled->library.string(), object.path.string()},
        options, workspace, stop, failure);
  }
  if (done) return compiled;
  failure.compiler = compiled->compiler;
  failure.flags = compiled->flags;
  return nullptr;
}

}  // namespace convscope::cpu
