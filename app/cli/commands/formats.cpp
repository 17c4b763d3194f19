#include <memory>

#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "core/analysis/table.h"

namespace convscope::cli {
namespace {

std::string formats_json(const std::vector<catalogue::Reader>& readers) {
  nlohmann::ordered_json json{
      {"schema", "convscope-formats"}, {"version", 1}, {"formats", nlohmann::ordered_json::array()}};
  for (const auto& [format, recognizes, read, read_argument] : readers)
    json["formats"].push_back({{"id", format.id}, {"title", format.title}, {"extensions", format.extensions}});
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::string formats_text(const std::vector<catalogue::Reader>& readers) {
  analysis::TextTable table{{"format", "title", "files"}, {}};
  for (const auto& [format, recognizes, read, read_argument] : readers)
    table.rows.push_back({format.id, format.title, format.extensions});
  return analysis::aligned_text(table);
}

}  // namespace

Command add_formats(CLI::App& program) {
  CLI::App* command = program.add_subcommand("formats", "The network formats that can be read");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As JSON");
  return {command, [json](Context& context) {
            const auto& readers = context.catalogue->readers;
            context.console.data(*json ? formats_json(readers) : formats_text(readers));
            return done;
          }};
}

}  // namespace convscope::cli
