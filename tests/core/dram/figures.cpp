#include "figures.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace convscope::dram {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> cells_of(std::string line) {
  while (!line.empty() && line.back() == '\r') line.pop_back();
  std::vector<std::string> cells;
  std::istringstream text(line + ",");
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

std::vector<std::vector<std::string>> table(const std::string& name) {
  std::ifstream file(std::string(CONVSCOPE_DRAM_FIGURES) + "/" + name);
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(cells_of(line));
  return lines;
}

std::vector<Row> rows_of(const std::string& name) {
  const auto lines = table(name);
  std::vector<Row> rows;
  for (std::size_t i = 1; i < lines.size(); ++i)
    for (std::size_t k = 0; k < std::min(lines[0].size(), lines[i].size()); ++k) {
      if (k == 0) rows.emplace_back();
      rows.back()[lines[0][k]] = lines[i][k];
    }
  return rows;
}

std::int64_t number(const Row& row, const char* key) {
  return std::atoll(row.at(key).c_str());
}

Parameters parameters_of(const Row& row) {
  const auto value = [&](const char* key) { return static_cast<int>(number(row, key)); };
  Parameters p;
  Organization& o = p.organization;
  o.bus_bits = value("bus_width");
  o.burst_length = value("BL");
  o.clock_hz = 1e9 / std::atof(row.at("tCK").c_str());
  o.channels = value("channels");
  o.groups = value("bankgroups");
  o.banks = o.groups * value("banks_per_group");
  o.rows = value("rows");
  o.row_bytes = value("columns") * o.bus_bits / 8;
  o.ranks = static_cast<int>((number(row, "channel_size") << 20) / (std::int64_t{o.banks} * o.rows * o.row_bytes));
  p.timings = {.tRCD = value("tRCD"),
               .tRP = value("tRP"),
               .tRAS = value("tRAS"),
               .tRC = value("tRAS") + value("tRP"),
               .CL = value("CL"),
               .CWL = value("CWL"),
               .tWR = value("tWR"),
               .tWTR_S = value("tWTR_S"),
               .tWTR_L = value("tWTR_L"),
               .tRTP = value("tRTP"),
               .tCCD_S = value("tCCD_S"),
               .tCCD_L = value("tCCD_L"),
               .tRRD_S = value("tRRD_S"),
               .tRRD_L = value("tRRD_L"),
               .tFAW = value("tFAW"),
               .tRFC = value("tRFC"),
               .tREFI = value("tREFI"),
               .rank_switch = value("tRTRS")};
  // That simulator reads tREFI, not REFI, and takes 7800 cycles where the file doesn't have it.
  if (row.at("tREFI").empty()) p.timings.tREFI = 7800;
  p.controller.queue = value("trans_queue_size");
  p.controller.bank_queue = value("cmd_queue_size");
  return p;
}

Figure run_figure(const Row& row) {
  const std::int64_t bytes = number(row, "run_bytes");
  Figure figure{row.at("memory"), "runs of " + row.at("run_bytes"), {}, bytes, 0, 0};
  figure.patterns.push_back(
      {0, bytes, number(row, "total_bytes") / bytes, number(row, "run_pitch_bytes"), 1, 0, false});
  return figure;
}

Figure tile_figure(const Row& row) {
  const std::int64_t element = number(row, "element_bytes"), width = number(row, "width") * element;
  const std::int64_t columns = number(row, "tile_columns") * element, high = number(row, "tile_rows");
  const std::int64_t maps = number(row, "maps");
  Figure figure{row.at("memory"),
                row.at("width") + " wide, tiles of " + row.at("tile_rows") + " x " + row.at("tile_columns"),
                {},
                columns,
                0,
                0};
  for (std::int64_t first = 0; first + columns <= width; first += columns)
    figure.patterns.push_back(
        {static_cast<std::uint64_t>(first), columns, high, width, maps, width * number(row, "height"), false});
  return figure;
}

}  // namespace

std::int64_t Figure::useful_bytes() const {
  std::int64_t bytes = 0;
  for (const Pattern& pattern : patterns) bytes += pattern.useful_bytes();
  return bytes;
}

std::map<std::string, Parameters> measured_memories() {
  const auto lines = table("configurations.csv");
  std::map<std::string, Parameters> memories;
  for (std::size_t memory = 1; !lines.empty() && memory < lines[0].size(); ++memory) {
    Row row;
    for (const auto& line : lines) row[line[0]] = memory < line.size() ? line[memory] : "";
    memories[lines[0][memory]] = parameters_of(row);
  }
  return memories;
}

std::vector<Figure> measured_figures() {
  std::vector<Figure> figures;
  using Maker = Figure (*)(const Row&);
  const std::pair<const char*, Maker> files[] = {{"runs.csv", run_figure}, {"tiles.csv", tile_figure}};
  for (const auto& [file, make] : files)
    for (const Row& row : rows_of(file)) {
      figures.push_back(make(row));
      figures.back().read = std::atof(row.at("read_GBps").c_str()) * 1e9;
      figures.back().write = std::atof(row.at("write_GBps").c_str()) * 1e9;
    }
  return figures;
}

}  // namespace convscope::dram
