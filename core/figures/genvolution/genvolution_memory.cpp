#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/arch/preset.h"
#include "core/base/atomic_file.h"
#include "core/cpu/architecture/problem.h"
#include "core/cpu/layers/layer_problem.h"
#include "core/figures/genvolution/genvolution_figures.h"
#include "core/figures/samples.h"
#include "core/target/presets.h"

namespace convscope::figures {
namespace {

struct Table {
  std::string_view number;
  const char* machine;
  const char* preset;
  const char* counts;  ///< source of the speeds, of which only counts are printed
};

constexpr Table tables[] = {{"4.1", "ARM Target 1", "cpu-cortex-a15", "cpu-section4.10-arm1"},
                            {"4.2", "ARM Target 2", "cpu-cortex-a57", "cpu-section4.10-arm2"},
                            {"4.3", "Intel Target 1", "cpu-sandy-bridge", "cpu-section4.10-intel1"}};

const Table& table_of(std::string_view number) {
  for (const Table& table : tables)
    if (table.number == number) return table;
  return tables[0];
}

struct Row {
  std::string network;
  cpu::Problem problem;
};

/// In the order of the published table.
std::vector<Row> rows_of(const std::string& source, const Environment& environment, Diagnostics& diagnostics) {
  std::vector<Row> rows;
  for (const analysis::PublishedFigure& figure : environment.published->figures()) {
    if (figure.source != source || figure.metric != "temp_bytes") continue;
    if (const auto problem = cpu::parse_problem(figure.layer, diagnostics)) rows.push_back({figure.network, *problem});
  }
  if (rows.empty()) diagnostics.error({}, fmt::format("there are no published figures of '{}'", source));
  return rows;
}

std::optional<arch::ParameterValues> machine_of(const target::Target& target, const char* preset,
                                                Diagnostics& diagnostics) {
  const std::string path = target::preset_path(target, preset);
  const auto text = read_file(path, diagnostics);
  if (!text) return std::nullopt;
  auto read = arch::read_preset(*text, path, target.machine(), diagnostics);
  if (!read) return std::nullopt;
  return std::move(read->values);
}

/// The patch matrix: (H W) rows of K K C floats.
double im2col_bytes(const cpu::Problem& p) {
  constexpr double float_bytes = 4;
  return float_bytes * p.out_height() * p.out_width() * p.channels * p.kernel_height * p.kernel_width;
}

std::string counts_note(const Table& table, const Environment& environment) {
  const auto count = [&](const char* metric) {
    return environment.published->find(table.counts, "", "", metric).value_or(0);
  };
  std::string note = fmt::format(
      "Of speeds the thesis prints counts: of {:.0f} convolutions faster than direct on {:.0f}, than im2col on {:.0f}",
      count("convolutions"), count("faster_than_direct"), count("faster_than_im2col"));
  if (const double mkldnn = count("faster_than_mkldnn"); mkldnn > 0)
    note += fmt::format(", than MKL-DNN on {:.0f}", mkldnn);
  return note + '.';
}

Cell bytes_cell(std::optional<double> bytes, Origin origin) {
  return number_cell(bytes, "byte", origin, 0);
}

Cell share_cell(std::optional<double> part, std::optional<double> whole, Origin origin) {
  std::optional<double> share;
  if (part && whole && *whole > 0) share = *part / *whole;
  return number_cell(share, "%", origin, 2);
}

void add_row(Figure& figure, const Row& row, const target::CompiledLayer& layer, const Environment& environment) {
  const std::string name = cpu::text(row.problem);
  const auto bytes = environment.published->find(figure.id, row.network, name, "temp_bytes");
  const auto patches = environment.published->find(figure.id, row.network, name, "im2col_bytes");
  const double patches_here = im2col_bytes(row.problem);
  std::optional<double> here;
  if (layer.mapped()) here = target_figure(layer.metrics(), "temp_bytes");
  figure.rows.push_back({text_cell(row.network), text_cell(name), bytes_cell(here, Origin::derived),
                         bytes_cell(bytes, Origin::published), bytes_cell(patches_here, Origin::derived),
                         bytes_cell(patches, Origin::published), share_cell(here, patches_here, Origin::derived),
                         share_cell(bytes, patches, Origin::published)});
}

}  // namespace

std::optional<Figure> genvolution_memory(const char* number, const Environment& environment, Diagnostics& diagnostics) {
  const Table& table = table_of(number);
  Figure figure{
      fmt::format("cpu-table{}", number), fmt::format("Temporary memory on {}", table.machine), "", {}, {}, {}};
  const std::vector<Row> rows = rows_of(figure.id, environment, diagnostics);
  const auto target = environment.catalogue->find_target("cpu");
  if (!target) diagnostics.error({}, "there is no target 'cpu'");
  auto machine = target ? machine_of(*target, table.preset, diagnostics) : std::nullopt;
  if (rows.empty() || !machine || !machine->set("methods", "direct", diagnostics)) return std::nullopt;
  std::vector<cpu::Problem> problems;
  for (const Row& row : rows) problems.push_back(row.problem);
  auto network = std::make_shared<const network::Network>(cpu::network_of(problems, figure.id));
  const auto compiled =
      compile_sample({network, target, std::move(*machine), target->default_level(), table.preset, 0, {}}, environment);
  figure.columns = {"network",     "convolution",      "bytes here",     "bytes published",
                    "im2col here", "im2col published", "of im2col here", "of im2col published"};
  for (std::size_t i = 0; i < rows.size(); ++i) add_row(figure, rows[i], *compiled.layers[i], environment);
  figure.notes = {
      fmt::format("Here: the direct convolution that the estimate likes best on preset {}; im2col: 4 H W C K^2.",
                  table.preset),
      counts_note(table, environment)};
  return figure;
}

}  // namespace convscope::figures
