#include "ui/document/exploration/space_check.h"

#include <filesystem>

#include <fmt/format.h>

#include "core/arch/preset.h"

namespace convscope::ui {
namespace {

constexpr int pause_milliseconds = 120;

std::shared_ptr<const explore::Space> shared(std::optional<explore::Space> space) {
  return space ? std::make_shared<const explore::Space>(std::move(*space)) : nullptr;
}

std::string sizes_key(const std::optional<network::InputSizes>& sizes) {
  if (!sizes) return {};
  const network::Size image = sizes->image.value_or(network::Size{});
  return fmt::format("{} {}x{}", sizes->batch, image.height, image.width);
}

}  // namespace

CheckedSpace check_setup(const SweepSetup& setup, const explore::SpaceSources& sources) {
  CheckedSpace result;
  const explore::DraftText text = explore::write_draft(setup.draft);
  result.lines = text.lines;
  result.space = shared(explore::read_space(text.xml, {}, sources, result.diagnostics));
  if (result.space && setup.is_saved()) {
    result.space = shared(explore::read_space(setup.saved_text, setup.file.toStdString(), sources, result.diagnostics));
  }
  if (result.space) explore::check_strategy(setup.strategy, *result.space, result.diagnostics);
  return result;
}

std::shared_ptr<const target::Target> CachedSources::target(std::string_view id) const {
  return catalogue_->find_target(id);
}

std::optional<std::string> CachedSources::preset(const std::string& name, const target::Target& target,
                                                 const Location& where, Diagnostics& diagnostics) const {
  if (name.empty()) return arch::write_preset({target.id(), {}, arch::ParameterValues(target.machine())});
  return explore::file_sources(folder_, catalogue_)->preset(name, target, where, diagnostics);
}

std::optional<explore::SpaceSources::HashedNetwork> CachedSources::network(
    const std::string& file, const std::optional<network::InputSizes>& sizes, Diagnostics& diagnostics) const {
  namespace files = std::filesystem;
  const files::path path = files::path(folder_) / file;
  std::error_code missing;
  const auto changed = files::last_write_time(path, missing).time_since_epoch().count();
  const std::string key = fmt::format("{}\n{}\n{}", path.string(), missing ? 0 : changed, sizes_key(sizes));
  const auto known = networks_.find(key);
  if (known != networks_.end()) return known->second;
  auto read = explore::file_sources(folder_, catalogue_)->network(file, sizes, diagnostics);
  if (read) networks_[key] = *read;
  return read;
}

SpaceCheck::SpaceCheck(catalogue::CataloguePointer catalogue, QObject* parent)
    : QObject(parent), sources_(std::make_shared<CachedSources>(std::move(catalogue))) {
  pause_.setSingleShot(true);
  pause_.setInterval(pause_milliseconds);
  connect(&pause_, &QTimer::timeout, this, &SpaceCheck::launch);
}

void SpaceCheck::check(const SweepSetup& setup) {
  waiting_ = setup;
  job_.forget();
  pause_.start();
}

void SpaceCheck::launch() {
  job_.start<CheckedSpace>(
      [setup = waiting_, sources = sources_](const std::stop_token&) {
        sources->set_folder(setup.folder());
        return check_setup(setup, *sources);
      },
      [this](const CheckedSpace& result) { emit checked(result); });
}

}  // namespace convscope::ui
