#include "core/explore/results/results_writer.h"

#include <fmt/format.h>

namespace convscope::explore {
namespace {

const char* status_name(PointStatus status) {
  switch (status) {
    case PointStatus::done:
      return "done";
    case PointStatus::removed:
      return "removed";
    case PointStatus::failed:
      break;
  }
  return "failed";
}

/// Binds a figure's columns from the given one on.
int bind_figures(Statement& statement, int column, const Figures& figures, const std::vector<FigureColumn>& columns) {
  for (const FigureColumn& each : columns) {
    if (each.kind == FigureColumn::Kind::coverage)
      statement.bind(column++, figures.coverage);
    else if (each.kind == FigureColumn::Kind::verified)
      statement.bind(column++, std::int64_t{figures.verified});
    else if (each.figure >= figures.values.size() || !figures.values[each.figure].value)
      statement.bind(column++, nullptr);
    else if (each.kind == FigureColumn::Kind::value)
      statement.bind(column++, *figures.values[each.figure].value);
    else
      statement.bind(column++, origin_name(figures.values[each.figure].origin));
  }
  return column;
}

int bind_nothing(Statement& statement, int column, int count) {
  for (int i = 0; i < count; ++i) statement.bind(column++, nullptr);
  return column;
}

Figures read_figures(const Statement& statement, int column, const Outcomes& outcomes,
                     const std::vector<FigureColumn>& columns) {
  Figures figures;
  figures.values.resize(outcomes.figures.size());
  for (const FigureColumn& each : columns) {
    if (each.kind == FigureColumn::Kind::coverage)
      figures.coverage = statement.optional_real(column);
    else if (each.kind == FigureColumn::Kind::verified)
      figures.verified = statement.integer(column) != 0;
    else if (each.kind == FigureColumn::Kind::value)
      figures.values[each.figure].value = statement.optional_real(column);
    else if (!statement.is_null(column))
      figures.values[each.figure].origin = origin_from(statement.text(column));
    ++column;
  }
  return figures;
}

/// Names of a table's columns; NULL for what a file lacks that is older than the figure.
std::string selected(const Database& database, const char* table, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + (has_column(database, table, name) ? name : std::string("NULL"));
  return text;
}

std::string select_points(const Database& database, const Outcomes& outcomes) {
  std::vector<std::string> names;
  for (const FigureColumn& each : figure_columns(outcomes)) names.push_back(each.name);
  for (const artifact::FigureDescription& each : outcomes.costs) names.push_back(each.key);
  return fmt::format("SELECT point, status, reason, {} FROM points WHERE point >= ? ORDER BY point",
                     selected(database, "points", names));
}

std::string select_figures(const Database& database, const Outcomes& outcomes) {
  std::vector<std::string> names;
  for (const FigureColumn& each : figure_columns(outcomes)) names.push_back(each.name);
  return fmt::format("SELECT {} FROM figures WHERE point = ? ORDER BY network", selected(database, "figures", names));
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
      columns_(figure_columns(space_->outcomes)),
      point_(database, insert_point(*space_)),
      figures_(database, insert_figures(*space_)) {}

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
  column = done ? bind_figures(point_, column, result.total, columns_)
                : bind_nothing(point_, column, static_cast<int>(columns_.size()));
  for (std::size_t i = 0; i < space_->outcomes.costs.size(); ++i)
    point_.bind(column++, i < result.costs.size() ? result.costs[i] : std::nullopt);
  write_parameters(column, point);
  point_.run();
  for (std::size_t i = 0; i < result.networks.size(); ++i) {
    figures_.bind(1, static_cast<std::int64_t>(result.point));
    figures_.bind(2, static_cast<std::int64_t>(i));
    bind_figures(figures_, 3, result.networks[i], columns_);
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

ResultsReader::ResultsReader(const Database& database, std::shared_ptr<const Space> space)
    : space_(std::move(space)),
      columns_(figure_columns(space_->outcomes)),
      points_(database, select_points(database, space_->outcomes)),
      figures_(database, select_figures(database, space_->outcomes)) {}

void ResultsReader::seek(std::uint64_t first) {
  points_.reset();
  points_.bind(1, static_cast<std::int64_t>(first));
}

void ResultsReader::rest() {
  points_.reset();
}

std::optional<PointResult> ResultsReader::next() {
  if (!points_.step()) return std::nullopt;
  PointResult result;
  result.point = static_cast<std::uint64_t>(points_.integer(0));
  result.reason = points_.text(2);
  const std::string status = points_.text(1);
  if (status != status_name(PointStatus::done)) {
    result.status = status == status_name(PointStatus::failed) ? PointStatus::failed : PointStatus::removed;
    return result;
  }
  constexpr int first = 3;
  result.total = read_figures(points_, first, space_->outcomes, columns_);
  int column = first + static_cast<int>(columns_.size());
  for (std::size_t i = 0; i < space_->outcomes.costs.size(); ++i)
    result.costs.push_back(points_.optional_real(column++));
  figures_.bind(1, static_cast<std::int64_t>(result.point));
  while (figures_.step()) result.networks.push_back(read_figures(figures_, 0, space_->outcomes, columns_));
  return result;
}

}  // namespace convscope::explore
