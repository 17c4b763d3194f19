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
  throw_if_stopped(stop_);
  return catalogue_->find_target(id);
}

std::string CachedSources::key(const std::string& file) const {
  namespace files = std::filesystem;
  const files::path path = files::path(folder_) / file;
  std::error_code missing;
  const auto changed = files::last_write_time(path, missing).time_since_epoch().count();
  return fmt::format("{}\n{}", path.string(), missing ? 0 : changed);
}

std::optional<std::string> CachedSources::preset(const std::string& name, const target::Target& target,
                                                 const Location& where, Diagnostics& diagnostics) const {
  throw_if_stopped(stop_);
  if (name.empty()) return arch::write_preset({target.id(), {}, arch::ParameterValues(target.machine())});
  const auto read = [&] { return files_->preset(name, target, where, diagnostics); };
  return known_->presets.get(fmt::format("{}\n{}", target.id(), key(name)), read, stop_);
}

std::optional<explore::SpaceSources::HashedNetwork> CachedSources::network(
    const std::string& file, const std::optional<network::InputSizes>& sizes, Diagnostics& diagnostics) const {
  throw_if_stopped(stop_);
  const auto read = [&] { return files_->network(file, sizes, diagnostics); };
  return known_->networks.get(fmt::format("{}\n{}", key(file), sizes_key(sizes)), read, stop_);
}

SpaceCheck::SpaceCheck(catalogue::CataloguePointer catalogue, QObject* parent)
    : QObject(parent), catalogue_(std::move(catalogue)) {
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
      [setup = waiting_, known = known_, catalogue = catalogue_](const std::stop_token& stop) {
        return check_setup(setup, CachedSources(catalogue, setup.folder(), known, stop));
      },
      [this](const CheckedSpace& result) { emit checked(result); });
}

}  // namespace convscope::ui
