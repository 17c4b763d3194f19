#include "core/explore/results/canonical_copy.h"

#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "core/base/sqlite.h"
#include "core/explore/results/scratch_file.h"

namespace convscope::explore {
namespace {

constexpr const char *staging = ".convscope-merging", *ordering = ".convscope-ordered";
constexpr const char* meta_table = "meta";
constexpr const char* described_tables[] = {meta_table, "objectives", "networks", "parameters"};

/// An input attached to the database that is being made.
class Attached {
 public:
  Attached(const Database& database, const std::string& path) : database_(database) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) throw SqlError("there is no such file");  // SQLite would make one
    if (!std::filesystem::is_regular_file(path, error)) throw SqlError("this is no plain file");
    database_.run(fmt::format("ATTACH {} AS source", sql_text(path)));
  }
  ~Attached() {
    try {
      database_.run("DETACH source");
    } catch (const SqlError&) {
      // The connection ends soon and takes it along.
    }
  }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;

 private:
  const Database& database_;
};

// Crash safety comes from the renaming at the end alone.
void prepare(const Database& database) {
  database.run("PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;");
}

void require_results(const Database& database) {
  const auto schema = database.text("SELECT value FROM source.meta WHERE key = 'schema'");
  if (schema != "convscope-sweep") throw SqlError("this is no results file of a sweep");
}

// Rows that are not wanted are never written: a deleted one would leave its traces in the page.
void create_like_source(const Database& database, ShardMark shard) {
  Statement schema(database, "SELECT sql FROM source.sqlite_master WHERE sql IS NOT NULL ORDER BY rowid");
  std::vector<std::string> statements;
  while (schema.step()) statements.push_back(schema.text(0));
  for (const std::string& statement : statements) database.run(statement);
  for (const char* table : described_tables)
    database.run(fmt::format("INSERT INTO {0} SELECT * FROM source.{0} {1} ORDER BY 1, 2", table,
                             shard == ShardMark::drop && table == meta_table ? "WHERE key <> 'shard'" : ""));
}

void require_same_space(const Database& database) {
  for (const char* key : {"version", "inputs", "strategy"}) {
    const auto value = [&](const char* schema) {
      return database.text(fmt::format("SELECT value FROM {}.meta WHERE key = '{}'", schema, key)).value_or("");
    };
    if (value("main") != value("source"))
      throw SqlError(fmt::format("its {} is '{}', that of the first file '{}'", key, value("source"), value("main")));
  }
}

// Of another version of the program, or with other columns, rows mean something else.
void require_same_rows(const Database& database) {
  for (const char* table : {"points", "figures"}) {
    const auto columns = [&](const char* schema) {
      return database.text(fmt::format("SELECT sql FROM {}.sqlite_master WHERE name = '{}'", schema, table));
    };
    if (columns("main") != columns("source"))
      throw SqlError("its rows are of another format than those of the first file");
  }
  const auto ours = database.text("SELECT program FROM main.points LIMIT 1");
  if (!ours) return;
  const auto other =
      database.text(fmt::format("SELECT program FROM source.points WHERE program <> {} LIMIT 1", sql_text(*ours)));
  if (other)
    throw SqlError(fmt::format("its rows were written by '{}', those of the first file by '{}'", *other, *ours));
}

void require_agreement(const Database& database) {
  const auto differing = database.text(
      "SELECT point FROM (SELECT * FROM source.points WHERE point IN (SELECT point FROM main.points) "
      "EXCEPT SELECT * FROM main.points) ORDER BY point LIMIT 1");
  if (differing) throw SqlError(fmt::format("point {} differs from that of an earlier file", *differing));
}

void add_rows(const Database& database) {
  database.run(
      "INSERT OR IGNORE INTO points SELECT * FROM source.points ORDER BY point;"
      "INSERT OR IGNORE INTO figures SELECT * FROM source.figures ORDER BY point, network;");
}

// ATTACH can't be inside a transaction, so each input has one of its own: only this staging file sees them.
bool stage(const std::vector<std::string>& inputs, const std::string& path, Diagnostics& diagnostics) {
  Database database(path, Database::Access::create);
  prepare(database);
  bool first = true;
  for (const std::string& input : inputs) {
    try {
      const Attached attached(database, input);
      require_results(database);
      Transaction transaction(database);
      if (first) create_like_source(database, ShardMark::drop);
      require_same_space(database);
      require_same_rows(database);
      require_agreement(database);
      add_rows(database);
      transaction.commit();
      first = false;
    } catch (const SqlError& error) {
      diagnostics.error({input, 0, {}}, fmt::format("can't be merged: {}", error.what()),
                        "results of the same space, networks, presets and strategy");
      return false;
    }
  }
  return true;
}

void write_ordered(const std::string& source, const std::string& path, ShardMark shard) {
  Database database(path, Database::Access::create);
  prepare(database);
  const Attached attached(database, source);
  require_results(database);
  Transaction transaction(database);
  create_like_source(database, shard);
  add_rows(database);
  transaction.commit();
}

bool sync_file(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags | O_CLOEXEC);
  if (file < 0) return false;
  const bool synced = fsync(file) == 0;
  close(file);
  return synced;
}

/// Nothing but results is replaced by results. What a killed run wrote ahead goes into the old file: left beside the
/// new one, it would be taken for that one's.
void require_replaceable(const std::string& output) {
  std::error_code error;
  if (!std::filesystem::exists(output, error) || std::filesystem::file_size(output, error) == 0) return;
  const Database old(output, Database::Access::write);
  if (old.integer("SELECT count(*) FROM sqlite_master WHERE name = 'meta'") == 0 ||
      old.text("SELECT value FROM meta WHERE key = 'schema'") != "convscope-sweep")
    throw SqlError("this is no results file of a sweep, and stays");
}

bool replace(const std::string& from, const std::string& to, Diagnostics& diagnostics) {
  std::error_code error;
  if (!sync_file(from, O_RDONLY)) error = std::make_error_code(std::errc::io_error);
  if (!error) std::filesystem::rename(from, to, error);
  if (error) {
    diagnostics.error({to, 0, {}}, fmt::format("can't be written: {}", error.message()));
    return false;
  }
  const std::string folder = std::filesystem::path(to).parent_path().string();
  sync_file(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
  return true;
}

}  // namespace

void remove_scratch(const std::string& output) {
  remove_database(output + staging);
  remove_database(output + ordering);
}

bool copy_in_order(const std::vector<std::string>& inputs, const std::string& output, ShardMark shard,
                   Diagnostics& diagnostics) {
  try {
    require_replaceable(output);
  } catch (const SqlError& error) {
    diagnostics.error({output, 0, {}}, fmt::format("can't be replaced: {}", error.what()),
                      "the name of a new file, or of results");
    return false;
  }
  const ScratchFile staged(output + staging), ordered(output + ordering);
  try {
    const bool several = inputs.size() > 1;
    if (several && !stage(inputs, staged.path(), diagnostics)) return false;
    write_ordered(several ? staged.path() : inputs.front(), ordered.path(), shard);
  } catch (const SqlError& error) {
    diagnostics.error({inputs.size() == 1 ? inputs.front() : output, 0, {}},
                      fmt::format("can't be put in order: {}", error.what()), "room for a copy of the results",
                      "nothing is lost: what is there stays");
    return false;
  }
  return replace(ordered.path(), output, diagnostics);
}

}  // namespace convscope::explore
