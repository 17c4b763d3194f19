#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "core/analysis/table.h"
#include "core/winograd/equations/program_text.h"
#include "core/winograd/equations/ways.h"
#include "core/winograd/error/point_search.h"
#include "core/winograd/matrices/transform.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;
using namespace winograd;

struct WinogradOptions {
  int m = 4, r = 3;
  std::string points = "usual", show = "matrices", way = "nested", operand;
  ErrorSetup error;
  SearchBudget search;
  bool json = false;
};

/// What is shown, as data and as text.
struct Shown {
  Json json;
  std::string text;
};

constexpr const char* matrix_names[] = {"G", "BT", "AT"};

std::vector<Operand> chosen_operands(const WinogradOptions& options) {
  std::vector<Operand> chosen;
  for (const Operand operand : operands)
    if (options.operand.empty() || options.operand == operand_name(operand)) chosen.push_back(operand);
  return chosen;
}

std::vector<std::vector<std::string>> rows_of(const Matrix& matrix) {
  std::vector<std::vector<std::string>> rows(static_cast<std::size_t>(matrix.rows()));
  for (int i = 0; i < matrix.rows(); ++i)
    for (int j = 0; j < matrix.columns(); ++j) rows[static_cast<std::size_t>(i)].push_back(text(matrix.at(i, j)));
  return rows;
}

void show_matrices(const Transform& transform, const WinogradOptions& options, Shown& shown) {
  for (const Operand operand : chosen_operands(options)) {
    const char* name = matrix_names[static_cast<std::size_t>(operand)];
    const auto rows = rows_of(matrix_of(transform, operand));
    shown.json["matrices"][name] = rows;
    analysis::TextTable table{std::vector<std::string>(rows.front().size()), rows};
    table.columns.front() = name;
    shown.text += analysis::aligned_text(table) + '\n';
  }
}

bool show_equations(const Transform& transform, const WinogradOptions& options, const std::stop_token& stop,
                    Shown& shown, Diagnostics& diagnostics) {
  shown.json["way"] = options.way;
  for (const Operand operand : chosen_operands(options)) {
    const Matrix& matrix = matrix_of(transform, operand);
    const auto forms = share(matrix, find_way(options.way).value_or(Way::nested), stop, diagnostics);
    if (!forms) return false;
    const Operations count = count_operations(*forms);
    const std::string equations = text(*forms, operand, matrix);
    Json& json = shown.json["equations"][std::string(operand_name(operand))];
    json = {{"additions", count.additions}, {"multiplications", count.multiplications}, {"text", equations}};
    shown.text += fmt::format("{}, {}: {} additions, {} multiplications\n{}\n", operand_name(operand), options.way,
                              count.additions, count.multiplications, equations);
  }
  return true;
}

bool show_operations(const Transform& transform, const WinogradOptions& options, const std::stop_token& stop,
                     Shown& shown, Diagnostics& diagnostics) {
  analysis::TextTable table{{"transform", "way", "additions", "multiplications"}, {}};
  for (const Operand operand : chosen_operands(options))
    for (const Way way : ways) {
      const auto forms = share(matrix_of(transform, operand), way, stop, diagnostics);
      if (!forms) return false;
      const auto [additions, multiplications] = count_operations(*forms);
      shown.json["operations"][std::string(operand_name(operand))][std::string(way_name(way))] = {
          {"additions", additions}, {"multiplications", multiplications}};
      table.rows.push_back({std::string(operand_name(operand)), std::string(way_name(way)), std::to_string(additions),
                            std::to_string(multiplications)});
    }
  shown.text += analysis::aligned_text(table);
  return true;
}

void show_program(const Transform& transform, const WinogradOptions& options, Shown& shown) {
  for (const Operand operand : chosen_operands(options)) {
    const Matrix& matrix = matrix_of(transform, operand);
    const LinearProgram program = linear_program(matrix);
    const auto letter = [operand](const char* letters) { return letters[static_cast<std::size_t>(operand)]; };
    const std::string lines = text(program, letter("gdp"), letter("uvy"));
    const int twice = program.operations() * (matrix.rows() + matrix.columns());
    shown.json["program"][std::string(operand_name(operand))] = {
        {"operations", program.operations()}, {"operations_2d", twice}, {"text", lines}};
    shown.text += fmt::format("{}: {} operations in one dimension, {} in two\n{}\n", operand_name(operand),
                              program.operations(), twice, lines);
  }
}

Json error_json(const MeasuredError& error) {
  return {{"l2", error.l2}, {"max", error.largest}};
}

void add_error(const std::string& what, const MeasuredError& error, analysis::TextTable& table) {
  table.rows.push_back({what, fmt::format("{:.2e}", error.l2), fmt::format("{:.2e}", error.largest)});
}

constexpr const char* l2_title = "|e| / |y|";
constexpr const char* largest_title = "max |e| / rms(y)";

Json setup_json(const ErrorSetup& setup) {
  return {{"channels", setup.channels},
          {"kernels", setup.kernels},
          {"tiles", setup.tiles},
          {"chain", setup.chain},
          {"seed", setup.seed}};
}

void show_error(const Transform& transform, const WinogradOptions& options, const std::stop_token& stop, Shown& shown) {
  const ErrorTrial trial(options.m, options.r, options.error);
  const MeasuredError error = trial.of(transform, stop), direct = trial.of_direct(stop);
  shown.json["error"] = {
      {"setup", setup_json(options.error)}, {"winograd", error_json(error)}, {"direct", error_json(direct)}};
  analysis::TextTable table{{"measured", l2_title, largest_title}, {}};
  add_error(fmt::format("F({},{})", options.m, options.r), error, table);
  add_error("direct", direct, table);
  shown.text += analysis::aligned_text(table);
}

bool show_search(const WinogradOptions& options, Context& context, Shown& shown, Diagnostics& diagnostics) {
  const auto ranked = search_points(options.m, options.r, options.error, options.search, context.interrupt.token(),
                                    context.console.progress(), diagnostics);
  if (!ranked) return false;
  shown.json["setup"] = setup_json(options.error);
  shown.json["search"] = Json::array();
  analysis::TextTable table{{"points", l2_title, largest_title}, {}};
  for (const RankedPoints& entry : *ranked) {
    Json json = error_json(entry.error);
    json["points"] = text(entry.points);
    shown.json["search"].push_back(std::move(json));
    add_error(text(entry.points), entry.error, table);
  }
  shown.text += analysis::aligned_text(table);
  return true;
}

bool show(const Transform& transform, const WinogradOptions& options, Context& context, Shown& shown,
          Diagnostics& diagnostics) {
  const std::stop_token stop = context.interrupt.token();
  if (options.show == "equations") return show_equations(transform, options, stop, shown, diagnostics);
  if (options.show == "operations") return show_operations(transform, options, stop, shown, diagnostics);
  if (options.show == "search") return show_search(options, context, shown, diagnostics);
  if (options.show == "program") show_program(transform, options, shown);
  if (options.show == "error") show_error(transform, options, stop, shown);
  if (options.show == "matrices") show_matrices(transform, options, shown);
  return true;
}

ExitCode run(const WinogradOptions& options, Context& context) {
  Diagnostics diagnostics;
  const auto points = parse_points(options.points, options.m, options.r, diagnostics);
  const auto transform = points ? make_transform(options.m, options.r, *points, diagnostics) : std::nullopt;
  Shown shown;
  shown.json = {{"schema", "convscope-winograd"}, {"version", 1}, {"m", options.m}, {"r", options.r}};
  if (transform) {
    shown.json["points"] = text(transform->points);
    shown.text = fmt::format("F({},{}), points {}\n\n", options.m, options.r, text(transform->points));
    show(*transform, options, context, shown, diagnostics);
  }
  context.console.report(diagnostics);
  if (diagnostics.has_errors()) return refused;
  context.console.data(options.json ? shown.json.dump(2) + '\n' : shown.text);
  return done;
}

template <typename Values>
std::vector<std::string> names(const Values& values, std::string_view (*name)(typename Values::value_type)) {
  std::vector<std::string> result;
  result.reserve(std::size(values));
  for (const auto value : values) result.emplace_back(name(value));
  return result;
}

}  // namespace

Command add_winograd(CLI::App& program) {
  CLI::App* command = program.add_subcommand("winograd", "Matrices, equations and error of Winograd convolution");
  const auto options = std::make_shared<WinogradOptions>();
  command->add_option("--m", options->m, "Outputs in one dimension")
      ->check(CLI::Range(1, most_outputs))
      ->capture_default_str();
  command->add_option("--r", options->r, "Weights in one dimension")
      ->check(CLI::Range(1, most_kernel))
      ->capture_default_str();
  command
      ->add_option("--points", options->points,
                   "Finite points, such as 0,1,-1,1/2,-2, or usual or accurate; infinity is always one")
      ->capture_default_str();
  command->add_option("--show", options->show, "What to print")
      ->check(CLI::IsMember({"matrices", "equations", "operations", "program", "error", "search"}))
      ->capture_default_str();
  command->add_option("--transform", options->operand, "Of kernel, input or output alone")
      ->check(CLI::IsMember(names(operands, operand_name)));
  command->add_option("--way", options->way, "How equations share sub-expressions")
      ->check(CLI::IsMember(names(ways, way_name)))
      ->capture_default_str();
  command->add_option("--channels", options->error.channels, "Channels that errors are measured with")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command->add_option("--chain", options->error.chain, "Channels that are summed in one chain (0: all)")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  command->add_option("--seed", options->error.seed, "Of the data that errors are measured with")
      ->capture_default_str();
  command
      ->add_option("--sets", options->search.sets,
                   "Sets of points that a search measures: of three pairs there are 18,424")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_flag("--json", options->json, "As JSON");
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
