#include "core/cpu/store/store.h"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <thread>

#include <fmt/format.h>

#include "core/base/key.h"
#include "core/base/sqlite.h"

namespace convscope::cpu {
namespace {

constexpr int version = 1;
constexpr int application = 0x43564d53;  // "CVMS"

constexpr auto tables = R"(
CREATE TABLE host(id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, model TEXT NOT NULL, features TEXT NOT NULL,
  l1 INTEGER, l2 INTEGER, l3 INTEGER, cores INTEGER, flops_scalar REAL, flops_256 REAL, flops_512 REAL, l1_rate REAL,
  l2_rate REAL, l3_rate REAL, dram_rate REAL, clock REAL);
CREATE TABLE problem(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE path(id INTEGER PRIMARY KEY, json TEXT NOT NULL, source_hash INTEGER NOT NULL, UNIQUE(json, source_hash));
CREATE TABLE run(id INTEGER PRIMARY KEY, problem INTEGER NOT NULL REFERENCES problem, path INTEGER NOT NULL REFERENCES path,
  host INTEGER NOT NULL REFERENCES host, compiler TEXT NOT NULL, flags TEXT NOT NULL, algorithm TEXT NOT NULL,
  seed INTEGER NOT NULL, minimum REAL, first_quartile REAL, median REAL, peak REAL, samples INTEGER, gated INTEGER,
  error REAL, bound REAL, temp_bytes INTEGER, time TEXT NOT NULL, outcome TEXT NOT NULL, message TEXT NOT NULL);
CREATE INDEX run_of_search ON run(problem, path, host);
)";

constexpr auto columns =
    "problem.text, path.json, path.source_hash, host.identity, compiler, flags, algorithm, seed, minimum, "
    "first_quartile, median, peak, samples, gated, error, bound, temp_bytes, time, outcome, message";
constexpr auto joined =
    " FROM run JOIN problem ON problem.id = run.problem JOIN path ON path.id = run.path JOIN host ON host.id = "
    "run.host ";

void create(const Database& database) {
  Transaction transaction(database);
  if (database.integer("PRAGMA user_version") == 0) {  // nobody else was quicker
    database.run(tables);
    database.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application, version));
  }
  transaction.commit();
}

/// Writers don't stop readers then. Two processes that open a new store at once both switch it, for which SQLite takes
/// a lock without waiting.
void use_log(const Database& database) {
  constexpr int most_tries = 100;
  for (int tries = 1;; ++tries) {
    try {
      return database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    } catch (const SqlError&) {
      if (tries == most_tries) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

/// What is wrong with a database that isn't empty; empty text if nothing.
std::string objection(const Database& database) {
  if (database.integer("PRAGMA application_id") != application) return "this is a database of another program";
  const std::int64_t found = database.integer("PRAGMA user_version");
  if (found > version) return fmt::format("made by a newer ConvScope (version {}, this one knows {})", found, version);
  const auto check = database.text("PRAGMA quick_check(1)");
  return check == "ok" ? "" : "broken: " + check.value_or("no answer");
}

bool empty(const Database& database) {
  return database.integer("SELECT count(*) FROM sqlite_master") == 0;
}

std::string now() {
  const std::time_t time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::int64_t id_of(const Database& database, const std::string& table, const std::string& column,
                   std::string_view value) {
  Statement insert(database, fmt::format("INSERT OR IGNORE INTO {}({}) VALUES(?)", table, column));
  insert.bind(1, value);
  insert.run();
  Statement select(database, fmt::format("SELECT id FROM {} WHERE {} = ?", table, column));
  select.bind(1, value);
  select.step();
  return select.integer(0);
}

std::int64_t path_id(const Database& database, const Record& record) {
  const std::string json = cpu::json(record.path);
  const auto source = static_cast<std::int64_t>(record.source_hash);
  Statement insert(database, "INSERT OR IGNORE INTO path(json, source_hash) VALUES(?, ?)");
  insert.bind(1, json);
  insert.bind(2, source);
  insert.run();
  Statement select(database, "SELECT id FROM path WHERE json = ? AND source_hash = ?");
  select.bind(1, json);
  select.bind(2, source);
  select.step();
  return select.integer(0);
}

std::int64_t host_id(const Database& database, const std::string& identity) {
  Statement insert(database, "INSERT OR IGNORE INTO host(identity, model, features) VALUES(?, ?, '')");
  insert.bind(1, identity);
  insert.bind(2, identity.substr(0, identity.find(',')));
  insert.run();
  return id_of(database, "host", "identity", identity);
}

void insert(const Database& database, const Record& record) {
  Transaction transaction(database);
  const Outcome& outcome = record.outcome;
  Statement statement(database,
                      "INSERT INTO run(problem, path, host, compiler, flags, algorithm, seed, minimum, first_quartile, "
                      "median, peak, samples, gated, error, bound, temp_bytes, time, outcome, message) "
                      "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  int column = 0;
  statement.bind(++column, id_of(database, "problem", "text", text(record.problem)));
  statement.bind(++column, path_id(database, record));
  statement.bind(++column, host_id(database, record.host));
  for (const std::string* each : {&outcome.compiler, &outcome.flags, &record.algorithm})
    statement.bind(++column, std::string_view(*each));
  statement.bind(++column, static_cast<std::int64_t>(record.seed));
  for (const double value : {outcome.minimum, outcome.first_quartile, outcome.median, outcome.peak})
    statement.bind(++column, value);
  statement.bind(++column, std::int64_t{outcome.samples});
  statement.bind(++column, std::int64_t{outcome.gated ? 1 : 0});
  statement.bind(++column, outcome.error);
  statement.bind(++column, outcome.bound);
  statement.bind(++column, record.temporary_bytes);
  statement.bind(++column, std::string_view(record.date.empty() ? now() : record.date));
  statement.bind(++column, key(outcome.ending));
  statement.bind(++column, std::string_view(outcome.message));
  statement.run();
  transaction.commit();
}

/// Nothing if the row was written by somebody who knows other words.
std::optional<Record> record_of(const Statement& row) {
  Diagnostics ignored;
  const auto problem = parse_problem(row.text(0), ignored);
  const auto path = parse_path(row.text(1), ignored);
  const auto ending = find_ending(row.text(18));
  if (!problem || !path || !ending) return std::nullopt;
  Record record{*problem,    *path,       static_cast<std::uint64_t>(row.integer(2)), row.text(3),
                {},          row.text(6), static_cast<std::uint64_t>(row.integer(7)), row.integer(16),
                row.text(17)};
  Outcome& outcome = record.outcome;
  outcome.ending = *ending;
  outcome.compiler = row.text(4);
  outcome.flags = row.text(5);
  outcome.minimum = row.real(8);
  outcome.first_quartile = row.real(9);
  outcome.median = row.real(10);
  outcome.peak = row.real(11);
  outcome.samples = static_cast<int>(row.integer(12));
  outcome.gated = row.integer(13) != 0;
  outcome.error = row.real(14);
  outcome.bound = row.real(15);
  outcome.message = row.text(19);
  return record;
}

bool guarded(const std::string& path, Diagnostics& diagnostics, const std::function<void()>& work) {
  try {
    work();
    return true;
  } catch (const SqlError& error) {
    diagnostics.error({path, 0, {}}, fmt::format("the measurement can't be kept: {}", error.what()),
                      "a store that can be written, on a disk with room");
    return false;
  }
}

}  // namespace

Store::Store(std::string path, std::unique_ptr<Database> database)
    : path_(std::move(path)), database_(std::move(database)) {}
Store::~Store() = default;

std::unique_ptr<Store> Store::open(const std::string& path, Diagnostics& diagnostics) {
  try {
    std::error_code error;
    const auto folder = std::filesystem::path(path).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    auto database = std::make_unique<Database>(path, Database::Access::create);
    const std::string wrong = empty(*database) ? "" : objection(*database);
    if (!wrong.empty()) {
      diagnostics.error({path, 0, {}}, wrong, "measurements of this or an older ConvScope",
                        "it was left as it is; name another file");
      return nullptr;
    }
    use_log(*database);
    create(*database);
    return std::unique_ptr<Store>(new Store(path, std::move(database)));
  } catch (const SqlError& error) {
    diagnostics.error({path, 0, {}}, fmt::format("this store can't be used: {}", error.what()),
                      "a file of measurements, or none yet", "it was left as it is; name another file");
    return nullptr;
  }
}

std::string Store::usual_path() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  std::string folder = variable("XDG_DATA_HOME");
  if (folder.empty()) folder = (variable("HOME").empty() ? std::string(".") : variable("HOME")) + "/.local/share";
  return folder + "/convscope/measurements.sqlite";
}

bool Store::add(const Record& record, Diagnostics& diagnostics) {
  const std::lock_guard lock(mutex_);
  return guarded(path_, diagnostics, [&] { insert(*database_, record); });
}

bool Store::add(const Host& host, const Calibration& calibration, Diagnostics& diagnostics) {
  const std::lock_guard lock(mutex_);
  return guarded(path_, diagnostics, [&] {
    Transaction transaction(*database_);
    Statement statement(
        *database_,
        "UPDATE host SET model = ?, features = ?, l1 = ?, l2 = ?, l3 = ?, cores = ?, flops_scalar = ?, "
        "flops_256 = ?, flops_512 = ?, l1_rate = ?, l2_rate = ?, l3_rate = ?, dram_rate = ?, clock = ? WHERE id = ?");
    int column = 0;
    statement.bind(++column, std::string_view(host.model));
    statement.bind(++column, std::string_view(host.features));
    for (const std::int64_t value : {host.l1, host.l2, host.l3, std::int64_t{host.cores}})
      statement.bind(++column, value);
    for (const double value : {calibration.flops_scalar, calibration.flops_256, calibration.flops_512, calibration.l1,
                               calibration.l2, calibration.l3, calibration.dram, calibration.clock})
      statement.bind(++column, value);
    statement.bind(++column, host_id(*database_, host.identity()));
    statement.run();
    transaction.commit();
  });
}

std::optional<Outcome> Store::find(const Problem& problem, const Path& path, const SearchIdentity& search) const try {
  const std::lock_guard lock(mutex_);
  Statement statement(*database_, std::string("SELECT ") + columns + joined +
                                      "WHERE problem.text = ? AND path.json = ? AND host.identity = ? AND compiler = ? "
                                      "AND flags = ? AND algorithm = ? AND seed = ? ORDER BY run.id DESC LIMIT 1");
  int column = 0;
  for (const std::string& each :
       {text(problem), json(path), search.host, search.compiler, search.flags, search.algorithm})
    statement.bind(++column, std::string_view(each));
  statement.bind(++column, static_cast<std::int64_t>(search.seed));
  if (!statement.step()) return std::nullopt;
  const auto record = record_of(statement);
  return record ? std::optional(record->outcome) : std::nullopt;
} catch (const SqlError&) {
  return std::nullopt;  // then it is measured again
}

std::optional<Record> Store::best(const Problem& problem, const std::string& host,
                                  const std::function<bool(const Record&)>& accepts) const try {
  const std::lock_guard lock(mutex_);
  Statement statement(
      *database_,
      std::string("SELECT ") + columns + joined +
          "WHERE problem.text = ? AND outcome = 'ran' AND path.json != '{}' AND "
          "(? = '' OR host.identity = ?) ORDER BY algorithm NOT IN ('final', 'compilers'), minimum, run.id");
  statement.bind(1, std::string_view(text(problem)));
  statement.bind(2, std::string_view(host));
  statement.bind(3, std::string_view(host));
  while (statement.step())
    if (auto record = record_of(statement); record && (!accepts || accepts(*record))) return record;
  return std::nullopt;
} catch (const SqlError&) {
  return std::nullopt;
}

std::vector<Record> Store::runs(const Problem& problem, std::size_t count) const try {
  const std::lock_guard lock(mutex_);
  Statement statement(
      *database_, std::string("SELECT ") + columns + joined + "WHERE problem.text = ? ORDER BY run.id DESC LIMIT ?");
  statement.bind(1, std::string_view(text(problem)));
  statement.bind(2, static_cast<std::int64_t>(count));
  std::vector<Record> result;
  while (statement.step())
    if (auto record = record_of(statement)) result.push_back(std::move(*record));
  return result;
} catch (const SqlError&) {
  return {};
}

std::vector<Host> Store::hosts() const try {
  const std::lock_guard lock(mutex_);
  Statement statement(*database_, "SELECT model, features, l1, l2, l3, cores FROM host ORDER BY id");
  std::vector<Host> result;
  while (statement.step()) {
    Host host;
    host.model = statement.text(0);
    host.features = statement.text(1);
    host.l1 = statement.integer(2);
    host.l2 = statement.integer(3);
    host.l3 = statement.integer(4);
    host.cores = static_cast<int>(statement.integer(5));
    result.push_back(std::move(host));
  }
  return result;
} catch (const SqlError&) {
  return {};
}

std::optional<Calibration> Store::calibration(const std::string& host) const try {
  const std::lock_guard lock(mutex_);
  Statement row(*database_,
                "SELECT flops_scalar, flops_256, flops_512, l1_rate, l2_rate, l3_rate, dram_rate, clock FROM host "
                "WHERE identity = ? AND l1_rate > 0");
  row.bind(1, std::string_view(host));
  if (!row.step()) return std::nullopt;
  return Calibration{row.real(0), row.real(1), row.real(2), row.real(3),
                     row.real(4), row.real(5), row.real(6), row.real(7)};
} catch (const SqlError&) {
  return std::nullopt;
}

std::uint64_t Store::content_hash() const try {
  const std::lock_guard lock(mutex_);
  Statement statement(*database_,
                      "SELECT problem, host, path, algorithm = 'final', min(minimum) FROM run WHERE outcome "
                      "= 'ran' GROUP BY problem, host, algorithm = 'final' ORDER BY 1, 2, 4");
  KeyBuilder content;
  while (statement.step()) {
    for (int column = 0; column < 4; ++column) content.add(statement.integer(column));
    content.add(statement.real(4));
  }
  return hash64(content.take());
} catch (const SqlError&) {
  return 0;
}

}  // namespace convscope::cpu
