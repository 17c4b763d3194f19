#pragma once
// SQLite with RAII. Mistakes of the file system come as SqlError; whoever faces the user makes diagnostics of them.

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace convscope {

struct SqlError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string>;

class Database;

class Statement {
 public:
  Statement(const Database& database, const std::string& sql);

  /// Parameters count from 1, as in SQL.
  void bind(int parameter, std::nullptr_t);
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);
  void bind(int parameter, std::string_view value);
  void bind(int parameter, const std::optional<double>& value);
  /// Next row; false at the end, ready to be bound and run again.
  bool step();
  /// Leaves the rows that were not stepped to.
  void reset();
  /// Runs a statement without rows.
  void run();

  /// Columns count from 0.
  int columns() const;
  std::string name(int column) const;
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::optional<double> optional_real(int column) const;  ///< nothing for NULL
  std::string text(int column) const;
  SqlValue value(int column) const;

 private:
  void check(int code) const;
  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, void (*)(sqlite3_stmt*)> statement_;
};

class Database {
 public:
  enum class Access { read, write, create };
  Database(const std::string& path, Access access);

  /// Statements without rows, separated by semicolons.
  void run(const std::string& sql) const;
  /// First column of the first row, or nothing.
  std::optional<std::string> text(const std::string& sql) const;
  std::int64_t integer(const std::string& sql) const;
  sqlite3* handle() const { return database_.get(); }

 private:
  std::unique_ptr<sqlite3, void (*)(sqlite3*)> database_;
};

/// Whether a table has a column.
bool has_column(const Database& database, const std::string& table, std::string_view column);

/// A transaction that is undone unless it was committed.
class Transaction {
 public:
  explicit Transaction(const Database& database) : database_(database) { database_.run("BEGIN IMMEDIATE"); }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  const Database& database_;
  bool open_ = true;
};

/// 'text' and "name" as SQL writes them.
std::string sql_text(std::string_view text);
std::string sql_name(std::string_view name);

}  // namespace convscope
