#include "core/base/sqlite.h"

#include <filesystem>

#include <sqlite3.h>

namespace convscope {
namespace {

void finalize(sqlite3_stmt* statement) {
  sqlite3_finalize(statement);
}
void close(sqlite3* database) {
  sqlite3_close_v2(database);
}

[[noreturn]] void fail(sqlite3* database) {
  throw SqlError(database ? sqlite3_errmsg(database) : "out of memory");
}

std::string quoted(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote) result += quote;
    result += c;
  }
  return result + quote;
}

// SQLite would wait for what comes out of a pipe.
void require_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw SqlError("this is no plain file");
}

// Long enough for a reader that holds its lock while it sorts.
constexpr int patience_milliseconds = 10'000;

}  // namespace

Statement::Statement(const Database& database, const std::string& sql)
    : database_(database.handle()), statement_(nullptr, finalize) {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v2(database_, sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr));
  statement_.reset(statement);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) fail(database_);
}

void Statement::bind(int parameter, std::nullptr_t) {
  check(sqlite3_bind_null(statement_.get(), parameter));
}
void Statement::bind(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), parameter, value));
}
void Statement::bind(int parameter, double value) {
  check(sqlite3_bind_double(statement_.get(), parameter, value));
}
void Statement::bind(int parameter, std::string_view value) {
  check(sqlite3_bind_text(statement_.get(), parameter, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT));
}
void Statement::bind(int parameter, const std::optional<double>& value) {
  value ? bind(parameter, *value) : bind(parameter, nullptr);
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) {
    const std::string message = sqlite3_errmsg(database_);
    sqlite3_reset(statement_.get());
    throw SqlError(message);
  }
  sqlite3_reset(statement_.get());
  return false;
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

void Statement::run() {
  while (step()) {
  }
}

int Statement::columns() const {
  return sqlite3_column_count(statement_.get());
}
std::string Statement::name(int column) const {
  return sqlite3_column_name(statement_.get(), column);
}
bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}
std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}
double Statement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::optional<double> Statement::optional_real(int column) const {
  if (is_null(column)) return std::nullopt;
  return real(column);
}

std::string Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return text ? std::string(reinterpret_cast<const char*>(text), size) : std::string();
}

SqlValue Statement::value(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_NULL:
      return std::monostate();
    case SQLITE_INTEGER:
      return integer(column);
    case SQLITE_FLOAT:
      return real(column);
    default:
      return text(column);
  }
}

Database::Database(const std::string& path, Access access) : database_(nullptr, close) {
  require_file(path);
  const int flags = access == Access::read    ? SQLITE_OPEN_READONLY
                    : access == Access::write ? SQLITE_OPEN_READWRITE
                                              : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* database = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &database, flags | SQLITE_OPEN_FULLMUTEX, nullptr);
  database_.reset(database);
  if (code != SQLITE_OK) fail(database);
  sqlite3_busy_timeout(database, patience_milliseconds);
}

void Database::run(const std::string& sql) const {
  char* message = nullptr;
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, &message) == SQLITE_OK) return;
  const std::string text = message ? message : "unknown error";
  sqlite3_free(message);
  throw SqlError(text);
}

std::optional<std::string> Database::text(const std::string& sql) const {
  Statement statement(*this, sql);
  if (!statement.step() || statement.is_null(0)) return std::nullopt;
  return statement.text(0);
}

std::int64_t Database::integer(const std::string& sql) const {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

bool has_column(const Database& database, const std::string& table, std::string_view column) {
  const Statement statement(database, "SELECT * FROM " + table);
  for (int i = 0; i < statement.columns(); ++i)
    if (statement.name(i) == column) return true;
  return false;
}

Transaction::~Transaction() {
  // Nothing is lost if this fails too: an open transaction ends with its connection.
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

std::string sql_text(std::string_view text) {
  return quoted(text, '\'');
}
std::string sql_name(std::string_view name) {
  return quoted(name, '"');
}

}  // namespace convscope
