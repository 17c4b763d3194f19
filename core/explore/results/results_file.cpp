#include "core/explore/results/results_file.h"

#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/explore/results/canonical_copy.h"
#include "core/explore/results/results_writer.h"

namespace convscope::explore {
namespace {

/// Held while a sweep writes: two at one file would each believe that the other's points are missing.
class WriteLock {
 public:
  explicit WriteLock(std::string path)
      : path_(std::move(path)), file_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    held_ = file_ >= 0 && flock(file_, LOCK_EX | LOCK_NB) == 0;
  }
  ~WriteLock() {
    if (held_) unlink(path_.c_str());
    if (file_ >= 0) close(file_);
  }
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;
  bool held() const { return held_; }

 private:
  std::string path_;
  int file_;
  bool held_ = false;
};

std::string shard_text(const Shard& shard) {
  return shard.parts == 1 ? std::string() : fmt::format("{}/{}", shard.part + 1, shard.parts);
}

// A log that is written ahead survives a killed process without waiting for the disk after each point.
void open_for_writing(const Database& database) {
  database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
}

bool same_identity(const Database& database, const std::string& path, const Space& space,
                   const ResultsIdentity& identity, Diagnostics& diagnostics) {
  const auto meta = [&](const char* key) {
    return database.text(fmt::format("SELECT value FROM meta WHERE key = {}", sql_text(key))).value_or("");
  };
  const auto require = [&](const char* key, const std::string& expected, const char* what) {
    const std::string found = meta(key);
    if (found == expected) return true;
    diagnostics.error({path, 0, {}}, fmt::format("these results are of another {}: '{}'", what, found),
                      expected.empty() ? "none" : fmt::format("'{}'", expected), "write to another file");
    return false;
  };
  return require("schema", "convscope-sweep", "kind") &&
         require("version", std::to_string(results_version), "version of the format") &&
         require("inputs", space.hash, "space, network or preset (by their hash)") &&
         require("strategy", identity.strategy, "strategy") && require("shard", shard_text(identity.shard), "shard");
}

}  // namespace

struct ResultsFile::State {
  std::string path;
  std::shared_ptr<const Space> space;
  std::unique_ptr<WriteLock> lock;
  std::unique_ptr<Database> database;
  std::unique_ptr<ResultsWriter> writer;
  std::unique_ptr<ResultsReader> reader;

  void close() {
    writer.reset();
    reader.reset();
    database.reset();
  }
};

ResultsFile::ResultsFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
ResultsFile::~ResultsFile() {
  state_->close();  // before the lock
}

std::unique_ptr<ResultsFile> ResultsFile::create(const std::string& path, std::shared_ptr<const Space> space,
                                                 const ResultsIdentity& identity, Diagnostics& diagnostics) {
  if (std::filesystem::exists(path)) {
    diagnostics.error({path, 0, {}}, "the file exists", "a new file", "--resume goes on with it");
    return nullptr;
  }
  return resume(path, std::move(space), identity, diagnostics);
}

std::unique_ptr<ResultsFile> ResultsFile::resume(const std::string& path, std::shared_ptr<const Space> space,
                                                 const ResultsIdentity& identity, Diagnostics& diagnostics) {
  auto state = std::make_unique<State>();
  state->path = path;
  state->space = std::move(space);
  state->lock = std::make_unique<WriteLock>(path + ".lock");
  if (!state->lock->held()) {
    diagnostics.error({path, 0, {}}, "can't be written, or another sweep writes to it");
    return nullptr;
  }
  try {
    state->database = std::make_unique<Database>(path, Database::Access::create);
    const bool fresh = state->database->integer("SELECT count(*) FROM sqlite_master") == 0;
    if (!fresh && !same_identity(*state->database, path, *state->space, identity, diagnostics)) return nullptr;
    open_for_writing(*state->database);  // changes the file, so not before it is known to be ours
    // The tables come in one transaction: a killed beginner leaves all of them or none.
    if (fresh) create_results(*state->database, *state->space, identity.strategy, shard_text(identity.shard));
    state->writer = std::make_unique<ResultsWriter>(*state->database, state->space, identity.program);
    state->reader = std::make_unique<ResultsReader>(*state->database, state->space);
  } catch (const SqlError& error) {
    diagnostics.error({path, 0, {}}, fmt::format("no results can be written: {}", error.what()),
                      "a file of a sweep, or none");
    return nullptr;
  }
  return std::unique_ptr<ResultsFile>(new ResultsFile(std::move(state)));
}

void ResultsFile::add(const std::vector<PointResult>& results) {
  if (results.empty()) return;
  Transaction transaction(*state_->database);
  for (const PointResult& result : results) state_->writer->write(result);
  transaction.commit();
}

std::vector<std::uint64_t> ResultsFile::points() const {
  std::vector<std::uint64_t> points;
  Statement statement(*state_->database, "SELECT point FROM points ORDER BY point");
  while (statement.step()) points.push_back(static_cast<std::uint64_t>(statement.integer(0)));
  return points;
}

std::optional<PointResult> ResultsFile::read(std::uint64_t point) const {
  state_->reader->seek(point);
  auto result = state_->reader->next();
  if (result && result->point != point) result.reset();
  return result;
}

bool ResultsFile::finish(Diagnostics& diagnostics) {
  state_->close();
  const bool fine = copy_in_order({state_->path}, state_->path, ShardMark::keep, diagnostics);
  state_->lock.reset();
  return fine;
}

bool merge_results(const std::vector<std::string>& inputs, const std::string& output, Diagnostics& diagnostics) {
  return copy_in_order(inputs, output, ShardMark::drop, diagnostics);
}

}  // namespace convscope::explore
