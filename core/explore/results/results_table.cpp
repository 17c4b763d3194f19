#include "core/explore/results/results_table.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "core/base/resources.h"
#include "core/base/sqlite.h"
#include "core/explore/results/results_rows.h"
#include "core/explore/results/results_writer.h"
#include "core/explore/results/sweep_table_builder.h"
#include "core/explore/space/space_reader.h"

namespace convscope::explore {
namespace {

std::string meta(const Database& database, const char* key) {
  return database.text(fmt::format("SELECT value FROM meta WHERE key = '{}'", key)).value_or("");
}

void require_results(const Database& database) {
  if (database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'meta'") == 0 ||
      meta(database, "schema") != "convscope-sweep")
    throw SqlError("this is no results file of a sweep");
  if (meta(database, "version") != std::to_string(results_version))
    throw SqlError(fmt::format("version {} of the format is unknown", meta(database, "version")));
}

std::shared_ptr<const Space> find_space(const Database& database, const std::string& path,
                                        std::vector<std::string> folders,
                                        const catalogue::CataloguePointer& catalogue) {
  folders.push_back(std::filesystem::path(path).parent_path().string());
  folders.push_back(sample_path("spaces"));
  for (const std::string& folder : folders) {
    Diagnostics elsewhere;
    auto space = read_space(meta(database, "space_xml"), path, *file_sources(folder, catalogue), elsewhere);
    if (space && space->hash == meta(database, "inputs")) return std::make_shared<const Space>(std::move(*space));
  }
  return nullptr;
}

std::shared_ptr<const SweepTable> table_of(const Database& database, std::shared_ptr<const Space> space,
                                           const std::string& state) {
  SweepTableBuilder builder(space);
  ResultsReader reader(database, std::move(space));
  reader.seek(0);
  while (const auto result = reader.next()) builder.add(*result);
  return builder.table(state);
}

/// Runs `read` over the file; a mistake becomes a diagnostic.
template <typename Result>
Result with_results(const std::string& path, Diagnostics& diagnostics,
                    const std::function<Result(const Database&)>& read) {
  try {
    const Database database(path, Database::Access::read);
    require_results(database);
    return read(database);
  } catch (const SqlError& error) {
    diagnostics.error({path, 0, {}}, fmt::format("can't be read: {}", error.what()), "a results file of a sweep");
    return {};
  }
}

std::string text_of(const SqlValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  return {};
}

std::optional<StoredMachine> machine_of(const Database& database, std::uint64_t point) {
  Statement row(database, "SELECT * FROM points WHERE point = ?");
  row.bind(1, static_cast<std::int64_t>(point));
  if (!row.step()) throw SqlError(fmt::format("there is no point {}", point));
  StoredMachine machine;
  for (int i = 0; i < row.columns(); ++i) {
    const std::string name = row.name(i);
    if (name == "target") machine.target = row.text(i);
    if (name == "preset") machine.preset = row.text(i);
    if (name == "level") machine.level = row.text(i);
    const std::size_t dot = name.find('.');
    if (dot != std::string::npos && !row.is_null(i))
      machine.parameters.emplace_back(name.substr(dot + 1), text_of(row.value(i)));
  }
  return machine;
}

}  // namespace

std::shared_ptr<const SweepTable> read_results_table(const std::string& path, const std::vector<std::string>& folders,
                                                     const std::string& state,
                                                     const catalogue::CataloguePointer& catalogue,
                                                     Diagnostics& diagnostics) {
  return with_results<std::shared_ptr<const SweepTable>>(path, diagnostics, [&](const Database& database) {
    if (auto space = find_space(database, path, folders, catalogue)) return table_of(database, std::move(space), state);
    diagnostics.note({path, 0, {}},
                     "the space of these results can't be read here: its networks are not found, or "
                     "they, presets or targets have changed since");
    return read_rows(database, *catalogue, state);
  });
}

std::optional<std::string> read_results_space(const std::string& path, Diagnostics& diagnostics) {
  return with_results<std::optional<std::string>>(path, diagnostics, [&](const Database& database) {
    return std::optional<std::string>(meta(database, "space_xml"));
  });
}

std::optional<StoredMachine> read_stored_machine(const std::string& path, std::uint64_t point,
                                                 Diagnostics& diagnostics) {
  return with_results<std::optional<StoredMachine>>(
      path, diagnostics, [&](const Database& database) { return machine_of(database, point); });
}

}  // namespace convscope::explore
