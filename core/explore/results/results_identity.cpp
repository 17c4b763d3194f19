#include "core/explore/results/results_identity.h"

#include <fmt/format.h>

#include "core/explore/results/results_schema.h"

namespace convscope::explore {
namespace {

std::string column_names(const Database& database, const char* table) {
  const Statement statement(database, fmt::format("SELECT * FROM {}", table));
  std::string names;
  for (int i = 0; i < statement.columns(); ++i) names += (i > 0 ? ", " : "") + statement.name(i);
  return names;
}

class Comparison {
 public:
  Comparison(const Database& database, const std::string& path, Diagnostics& diagnostics)
      : database_(database), path_(path), diagnostics_(diagnostics) {}

  bool meta(const char* key, const std::string& expected, const char* what) const {
    const auto found = database_.text(fmt::format("SELECT value FROM meta WHERE key = {}", sql_text(key)));
    if (found.value_or("") == expected) return true;
    return refuse(fmt::format("these results are of another {}: '{}'", what, found.value_or("")),
                  expected.empty() ? "none" : fmt::format("'{}'", expected));
  }

  /// Another version may map layers otherwise, or count otherwise: figures of both would be compared as one.
  bool program(const std::string& expected) const {
    const auto other =
        database_.text(fmt::format("SELECT program FROM points WHERE program <> {} LIMIT 1", sql_text(expected)));
    return !other || refuse(fmt::format("these results are of another version of the program: '{}'", *other),
                            fmt::format("'{}'", expected));
  }

  bool columns(const char* table, const Database& fresh) const {
    const std::string found = column_names(database_, table), expected = column_names(fresh, table);
    return found == expected ||
           refuse(fmt::format("the rows of these results are of another format: {} has the columns {}", table, found),
                  expected);
  }

 private:
  bool refuse(std::string what, std::string expected) const {
    diagnostics_.error({path_, 0, {}}, std::move(what), std::move(expected), "write to another file");
    return false;
  }

  const Database& database_;
  const std::string& path_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::string shard_text(const Shard& shard) {
  return shard.parts == 1 ? std::string() : fmt::format("{}/{}", shard.part + 1, shard.parts);
}

bool is_same_sweep(const Database& database, const std::string& path, const Space& space,
                   const ResultsIdentity& identity, Diagnostics& diagnostics) {
  const Comparison same(database, path, diagnostics);
  const Database fresh(":memory:", Database::Access::create);
  create_results(fresh, space, {}, {});
  return same.meta("schema", "convscope-sweep", "kind") &&
         same.meta("version", std::to_string(results_version), "version of the format") &&
         same.meta("inputs", space.hash, "space, network or preset (by their hash)") &&
         same.meta("strategy", identity.strategy, "strategy") &&
         same.meta("shard", shard_text(identity.shard), "shard") && same.program(identity.program) &&
         same.columns("points", fresh) && same.columns("figures", fresh);
}

}  // namespace convscope::explore
