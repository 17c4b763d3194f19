#include "core/explore/results/results_writer.h"

#include <fmt/format.h>

namespace convscope::explore {
namespace {

constexpr const char* figure_names =
    "seconds, seconds_origin, cycles, cycles_origin, utilization, utilization_origin, macs, bytes_in, bytes_out, "
    "bytes_weights, bytes, coverage, verified";

const char* status_name(PointStatus status) {
  return status == PointStatus::done ? "done" : "removed";
}

// Binds thirteen columns from the given one on.
int bind_figures(Statement& statement, int column, const Figures& f) {
  statement.bind(column++, f.seconds);
  statement.bind(column++, origin_name(f.seconds_origin));
  statement.bind(column++, f.cycles);
  statement.bind(column++, origin_name(f.cycles_origin));
  statement.bind(column++, f.utilization);
  statement.bind(column++, origin_name(f.utilization_origin));
  for (const double value : {f.macs, f.bytes_in, f.bytes_out, f.bytes_weights, f.bytes()})
    statement.bind(column++, value);
  statement.bind(column++, f.coverage);
  statement.bind(column++, std::int64_t{f.verified});
  return column;
}

int bind_nothing(Statement& statement, int column, int count) {
  for (int i = 0; i < count; ++i) statement.bind(column++, nullptr);
  return column;
}

Figures read_figures(const Statement& statement, int column) {
  Figures f;
  f.seconds = statement.real(column);
  f.seconds_origin = origin_from(statement.text(column + 1));
  f.cycles = statement.real(column + 2);
  f.cycles_origin = origin_from(statement.text(column + 3));
  f.utilization = statement.real(column + 4);
  f.utilization_origin = origin_from(statement.text(column + 5));
  f.macs = statement.real(column + 6);
  f.bytes_in = statement.real(column + 7);
  f.bytes_out = statement.real(column + 8);
  f.bytes_weights = statement.real(column + 9);
  f.coverage = statement.optional_real(column + 11);
  f.verified = statement.integer(column + 12) != 0;
  return f;
}

}  // namespace

Origin origin_from(const std::string& name) {
  for (const Origin origin : {Origin::measured, Origin::simulated, Origin::derived, Origin::estimate})
    if (name == origin_name(origin)) return origin;
  return Origin::published;
}

ResultsWriter::ResultsWriter(const Database& database, std::shared_ptr<const Space> space, std::string program)
    : space_(std::move(space)),
      program_(std::move(program)),
      machines_(machines_of(*space_)),
      point_(database, insert_point(*space_)),
      figures_(database, insert_figures()) {}

void ResultsWriter::write(const PointResult& result) {
  const Point point = space_->point(result.point);
  const Family& family = space_->families[point.family];
  const bool done = result.status == PointStatus::done;
  int column = 1;
  point_.bind(column++, static_cast<std::int64_t>(result.point));
  for (const std::string_view text :
       {std::string_view(family.target->id()), std::string_view(family.presets[point.preset].name),
        std::string_view(family.levels[point.level]), std::string_view(status_name(result.status))})
    point_.bind(column++, text);
  result.reason.empty() ? point_.bind(column++, nullptr) : point_.bind(column++, std::string_view(result.reason));
  point_.bind(column++, std::string_view(program_));
  point_.bind(column++, std::string_view(space_->hash));
  column = done ? bind_figures(point_, column, result.total) : bind_nothing(point_, column, 13);
  for (const auto& cost :
       {result.cost.mac_units, result.cost.on_chip_bits, result.cost.instruction_bits, result.cost.memory_ports})
    point_.bind(column++, cost);
  write_parameters(column, point);
  point_.run();
  for (std::size_t i = 0; i < result.networks.size(); ++i) {
    figures_.bind(1, static_cast<std::int64_t>(result.point));
    figures_.bind(2, static_cast<std::int64_t>(i));
    bind_figures(figures_, 3, result.networks[i]);
    figures_.run();
  }
}

void ResultsWriter::write_parameters(int column, const Point& point) {
  const arch::MachineDescription& own = point.machine.description();
  for (const auto& machine : machines_) {
    for (std::size_t i = 0; i < machine->parameters.size(); ++i) {
      if (machine->target != own.target)
        point_.bind(column++, nullptr);
      else if (machine->parameters[i].kind == arch::ParameterKind::choice)
        point_.bind(column++, std::string_view(point.machine.text(i)));
      else
        point_.bind(column++, point.machine.at(i));
    }
  }
}

ResultsReader::ResultsReader(const Database& database)
    : points_(database, fmt::format("SELECT point, status, reason, {}, mac_units, on_chip_bits, instruction_bits, "
                                    "memory_ports FROM points WHERE point >= ? ORDER BY point",
                                    figure_names)),
      figures_(database, fmt::format("SELECT {} FROM figures WHERE point = ? ORDER BY network", figure_names)) {}

void ResultsReader::seek(std::uint64_t first) {
  points_.reset();
  points_.bind(1, static_cast<std::int64_t>(first));
}

std::optional<PointResult> ResultsReader::next() {
  if (!points_.step()) return std::nullopt;
  PointResult result;
  result.point = static_cast<std::uint64_t>(points_.integer(0));
  result.reason = points_.text(2);
  if (points_.text(1) != status_name(PointStatus::done)) {
    result.status = PointStatus::removed;
    return result;
  }
  result.total = read_figures(points_, 3);
  result.cost = {points_.optional_real(16), points_.optional_real(17), points_.optional_real(18),
                 points_.optional_real(19)};
  figures_.bind(1, static_cast<std::int64_t>(result.point));
  while (figures_.step()) result.networks.push_back(read_figures(figures_, 0));
  return result;
}

}  // namespace convscope::explore
