#include "core/explore/results/results_file.h"

#include <algorithm>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/explore/results/canonical_copy.h"
#include "core/explore/results/results_writer.h"
#include "core/explore/results/scratch_file.h"

namespace convscope::explore {
namespace {

/// Held while a sweep writes: two at one file would each believe that the other's points are missing. An empty file;
/// one with content is somebody else's and not ours to remove.
class WriteLock {
 public:
  explicit WriteLock(std::string path)
      : path_(std::move(path)), file_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644)) {
    struct stat status {};
    const bool ours = file_ >= 0 && fstat(file_, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
    held_ = ours && flock(file_, LOCK_EX | LOCK_NB) == 0;
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

constexpr std::int64_t least_log = 16, longest_log = 1000;  // pages

// A log that is written ahead survives a killed process without waiting for the disk after each point. One that an
// earlier run left is moved into the file, so that it takes no room.
void open_for_writing(const Database& database) {
  database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_checkpoint(TRUNCATE);");
}

/// False if there is no file, or one that a killed beginner left without tables.
bool has_tables(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return false;
  return Database(path, Database::Access::write).integer("SELECT count(*) FROM sqlite_master") > 0;
}

/// A file appears with all its tables or not at all: an empty one would be nobody's.
void begin(const std::string& path, const Space& space, const ResultsIdentity& identity) {
  const ScratchFile fresh(path + ".convscope-beginning");
  {
    const Database database(fresh.path(), Database::Access::create);
    create_results(database, space, identity.strategy, shard_text(identity.shard));
  }
  remove_database(path);
  std::error_code error;
  std::filesystem::rename(fresh.path(), path, error);
  if (error) throw SqlError(error.message());
}

}  // namespace

struct ResultsFile::State {
  std::string path;
  std::shared_ptr<const Space> space;
  std::unique_ptr<WriteLock> lock;
  std::unique_ptr<Database> database;
  std::unique_ptr<ResultsWriter> writer;
  std::unique_ptr<ResultsReader> reader;
  std::int64_t log = 0;  // pages after which the log is moved into the file

  void store(const std::vector<PointResult>& results) {
    Transaction transaction(*database);
    for (const PointResult& result : results) writer->write(result);
    transaction.commit();
  }

  /// Lets the log grow to half of the file: then a disk with room for the file and its copy has room for the sweep.
  void bound_log() {
    const std::int64_t pages = std::clamp(database->integer("PRAGMA page_count") / 2, least_log, longest_log);
    if (pages < log + log / 4) return;
    log = pages;
    database->run(fmt::format("PRAGMA wal_autocheckpoint = {}", log));
  }

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
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
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
    remove_scratch(path);  // of a killed run
    if (!has_tables(path)) begin(path, *state->space, identity);
    state->database = std::make_unique<Database>(path, Database::Access::write);
    if (!is_same_sweep(*state->database, path, *state->space, identity, diagnostics)) return nullptr;
    open_for_writing(*state->database);  // changes the file, so not before it is known to be ours
    state->bound_log();
    state->writer = std::make_unique<ResultsWriter>(*state->database, state->space, identity.program);
    state->reader = std::make_unique<ResultsReader>(*state->database, state->space);
  } catch (const SqlError& error) {
    diagnostics.error({path, 0, {}}, fmt::format("no results can be written: {}", error.what()),
                      "a file of a sweep or none, and room on the disk");
    return nullptr;
  }
  return std::unique_ptr<ResultsFile>(new ResultsFile(std::move(state)));
}

void ResultsFile::add(const std::vector<PointResult>& results) {
  if (results.empty()) return;
  try {
    state_->store(results);
  } catch (const SqlError&) {
    // The log holds pages several times: moved into the file, they may fit the disk.
    state_->database->run("PRAGMA wal_checkpoint(TRUNCATE)");
    state_->store(results);
  }
  state_->bound_log();
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
  state_->reader->rest();
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
