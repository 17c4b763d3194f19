#include "ui/model/settings.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>
#include <vector>

#include "core/arch/preset.h"
#include "core/base/atomic_file.h"
#include "core/target/presets.h"

namespace convscope::ui {
namespace {

// Presets are a few kilobytes; the limit keeps a wrong file from filling the memory.
constexpr qint64 preset_size_limit = 1 << 20;
constexpr std::size_t preset_name_limit = 1000;  // bytes; to find the width of a longer one takes seconds

std::optional<std::string> read_text(const QString& path, Diagnostics& diagnostics) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    diagnostics.error({path.toStdString(), 0, {}}, "preset cannot be opened: " + file.errorString().toStdString(),
                      "a preset's name or the path of a preset file");
    return std::nullopt;
  }
  const QByteArray text = file.read(preset_size_limit + 1);
  if (text.size() > preset_size_limit) {
    diagnostics.error({path.toStdString(), 0, {}}, "preset is too large", "at most 1 MiB");
    return std::nullopt;
  }
  return text.toStdString();
}

struct OwnPreset {
  QString name, file;
};

/// Those in the user's folder. A file is named so that any file system takes it; the preset's name stands inside.
std::vector<OwnPreset> own_presets(const target::Target& target) {
  std::vector<OwnPreset> found;
  for (const QFileInfo& each : QDir(user_preset_folder()).entryInfoList({"*.xml"}, QDir::Files, QDir::Name)) {
    Diagnostics ignored;  // a broken preset is reported when it is loaded
    const auto text = read_text(each.filePath(), ignored);
    const std::string file = each.filePath().toStdString();
    if (!text || arch::preset_target(*text, file, ignored) != target.id()) continue;
    const std::string name = arch::preset_name(*text, file, ignored);
    found.push_back({name.size() > preset_name_limit ? QString() : QString::fromStdString(name), each.filePath()});
  }
  return found;
}

bool is_path(const QString& preset) {
  return preset.contains('/') || preset.endsWith(".xml", Qt::CaseInsensitive);
}

QString preset_path(const target::Target& target, const QString& preset) {
  if (is_path(preset)) return preset;
  const auto shipped = QString::fromStdString(target::preset_path(target, preset.toStdString()));
  if (QFile::exists(shipped)) return shipped;
  for (const OwnPreset& own : own_presets(target)) {
    if (own.name == preset) return own.file;
  }
  const QString by_file = user_preset_folder() + '/' + preset + ".xml";  // as sessions of older programs have it
  return QFile::exists(by_file) ? by_file : shipped;
}

}  // namespace

QString preset_reference(const Settings& settings) {
  return settings.preset_file.isEmpty() ? settings.preset : settings.preset_file;
}

bool comes_with_target(const target::Target& target, const QString& preset) {
  return !preset.isEmpty() && !is_path(preset) &&
         QFile::exists(QString::fromStdString(target::preset_path(target, preset.toStdString())));
}

QString file_beyond_name(const target::Target& target, const QString& preset, const QString& path) {
  const QFileInfo file(path), named(preset_path(target, preset));
  return !is_path(preset) && file == named ? QString() : file.absoluteFilePath();
}

bool has_level(const target::Target& target, const QString& level) {
  const auto& levels = target.levels();
  return std::any_of(levels.begin(), levels.end(),
                     [&](const target::Level& each) { return level == QString::fromStdString(each.name); });
}

Settings default_settings(std::shared_ptr<const target::Target> target) {
  const arch::ParameterValues values(target->machine());
  const auto level = QString::fromStdString(target->default_level());
  return {std::move(target), values, values, {}, level};
}

std::optional<Settings> read_settings(std::shared_ptr<const target::Target> target, const QString& preset,
                                      const QString& level, Diagnostics& diagnostics) {
  const QString path = preset_path(*target, preset);
  const auto text = read_text(path, diagnostics);
  if (!text) return std::nullopt;
  const auto read = arch::read_preset(*text, path.toStdString(), target->machine(), diagnostics);
  if (!read) return std::nullopt;
  if (read->name.size() > preset_name_limit) {
    diagnostics.error({path.toStdString(), 0, "element <preset>"},
                      "the name has " + std::to_string(read->name.size()) + " bytes",
                      "at most " + std::to_string(preset_name_limit));
    return std::nullopt;
  }
  const QString kept = has_level(*target, level) ? level : QString::fromStdString(target->default_level());
  const auto name = QString::fromStdString(read->name);
  const QString file = file_beyond_name(*target, name, path);
  return Settings{std::move(target), read->values, read->values, name, kept, file};
}

QString user_preset_folder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/presets";
}

QStringList preset_references(const target::Target& target) {
  QStringList found;
  for (const std::string& name : target::preset_names(target)) found << QString::fromStdString(name);
  for (const OwnPreset& own : own_presets(target)) {
    const bool by_name = !own.name.isEmpty() && !is_path(own.name) && !found.contains(own.name);
    found << (by_name ? own.name : QFileInfo(own.file).absoluteFilePath());
  }
  return found;
}

bool write_preset_file(const QString& path, const arch::ParameterValues& values, const QString& name,
                       const QString& description, Diagnostics& diagnostics) {
  if (!QDir().mkpath(QFileInfo(path).absolutePath())) {
    diagnostics.error({path.toStdString(), 0, {}}, "the preset's folder cannot be made", "a folder to write to");
    return false;
  }
  const arch::Preset preset{name.toStdString(), description.toStdString(), values};
  return write_file_atomically(path.toStdString(), arch::write_preset(preset), diagnostics);
}

}  // namespace convscope::ui
