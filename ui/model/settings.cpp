#include "ui/model/settings.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>

#include "core/arch/preset.h"
#include "core/base/atomic_file.h"
#include "core/target/presets.h"

namespace convscope::ui {
namespace {

// Presets are a few kilobytes; the limit keeps a wrong file from filling the memory.
constexpr qint64 preset_size_limit = 1 << 20;

QString preset_path(const target::Target& target, const QString& preset) {
  const bool is_path = preset.contains('/') || preset.endsWith(".xml", Qt::CaseInsensitive);
  if (is_path) return preset;
  const QString own = user_preset_folder() + '/' + preset + ".xml";
  const auto shipped = QString::fromStdString(target::preset_path(target, preset.toStdString()));
  return !QFile::exists(shipped) && QFile::exists(own) ? own : shipped;
}

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

}  // namespace

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
  const QString kept = has_level(*target, level) ? level : QString::fromStdString(target->default_level());
  return Settings{std::move(target), read->values, read->values, QString::fromStdString(read->name), kept};
}

QString user_preset_folder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/presets";
}

QStringList preset_names(const target::Target& target) {
  QStringList names;
  for (const std::string& name : target::preset_names(target)) names << QString::fromStdString(name);
  for (const QFileInfo& file : QDir(user_preset_folder()).entryInfoList({"*.xml"}, QDir::Files, QDir::Name)) {
    Diagnostics ignored;  // a broken preset is reported when it is loaded
    const auto text = read_text(file.filePath(), ignored);
    if (text && arch::preset_target(*text, file.filePath().toStdString(), ignored) == target.id() &&
        !names.contains(file.completeBaseName())) {
      names << file.completeBaseName();
    }
  }
  return names;
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
