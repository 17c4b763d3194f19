#include "core/analysis/published.h"

#include <algorithm>
#include <filesystem>

#include "core/analysis/published_reader.h"
#include "core/base/atomic_file.h"
#include "core/base/resources.h"

namespace convscope::analysis {
namespace {

std::vector<std::string> xml_files(const std::string& folder, Diagnostics& diagnostics) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".xml") files.push_back(entry.path().string());
  if (error)
    diagnostics.error({folder, 0, {}}, "the folder of published figures can't be read: " + error.message(), {},
                      data_hint(folder));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

PublishedTables PublishedTables::load(const std::string& folder, Diagnostics& diagnostics) {
  PublishedContent content;
  for (const std::string& file : xml_files(folder, diagnostics))
    if (const auto text = read_file(file, diagnostics)) read_published(*text, file, content, diagnostics);
  PublishedTables tables;
  tables.sources_ = std::move(content.sources);
  tables.figures_ = std::move(content.figures);
  tables.schedules_ = std::move(content.schedules);
  return tables;
}

const PublishedSource* PublishedTables::source(std::string_view id) const {
  const auto found = std::find_if(sources_.begin(), sources_.end(), [&](const auto& s) { return s.id == id; });
  return found == sources_.end() ? nullptr : &*found;
}

const PublishedSchedule* PublishedTables::schedule(std::string_view source) const {
  const auto found =
      std::find_if(schedules_.begin(), schedules_.end(), [&](const auto& s) { return s.source == source; });
  return found == schedules_.end() ? nullptr : &*found;
}

std::optional<double> PublishedTables::find(std::string_view source, std::string_view network, std::string_view layer,
                                            std::string_view metric) const {
  const auto found = std::find_if(figures_.begin(), figures_.end(), [&](const PublishedFigure& f) {
    return f.source == source && f.network == network && f.layer == layer && f.metric == metric;
  });
  if (found == figures_.end()) return std::nullopt;
  return found->value;
}

std::map<std::string, std::map<std::string, double>> PublishedTables::of_layer(std::string_view network,
                                                                               std::string_view layer,
                                                                               std::string_view target) const {
  std::map<std::string, std::map<std::string, double>> found;
  if (network.empty()) return found;  // what is published of no network in particular
  for (const PublishedFigure& figure : figures_)
    if (figure.network == network && figure.layer == layer && source(figure.source)->is_about(target))
      found[figure.source][figure.metric] = figure.value;
  return found;
}

}  // namespace convscope::analysis
