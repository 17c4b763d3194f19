#include "ui/document/exploration/look_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace convscope::ui {
namespace {

template <typename Names>
QJsonArray array_of(const Names& names) {
  QJsonArray array;
  for (const std::string& name : names) array.append(QString::fromStdString(name));
  return array;
}

std::vector<std::string> names_of(const QJsonValue& value) {
  std::vector<std::string> names;
  const QJsonArray array = value.toArray();
  for (const auto& each : array) names.push_back(each.toString().toStdString());
  return names;
}

std::set<std::string> set_of(const QJsonValue& value) {
  const auto names = names_of(value);
  return {names.begin(), names.end()};
}

}  // namespace

std::string look_text(const SweepLook& look) {
  QJsonObject json{{"x", QString::fromStdString(look.x)},           {"y", QString::fromStdString(look.y)},
                   {"colour", QString::fromStdString(look.colour)}, {"size", QString::fromStdString(look.size)},
                   {"logarithmic_x", look.logarithmic_x},           {"logarithmic_y", look.logarithmic_y}};
  QJsonObject brushes;
  for (const auto& [column, range] : look.brushes) {
    brushes[QString::fromStdString(column)] = QJsonArray{range.from, range.to};
  }
  json["brushes"] = brushes;
  QJsonArray chosen;
  for (const std::uint64_t point : look.chosen) chosen.append(static_cast<qint64>(point));
  json["chosen"] = chosen;
  json["parallel"] = QJsonObject{{"order", array_of(look.parallel.order)},
                                 {"flipped", array_of(look.parallel.flipped)},
                                 {"logarithmic", array_of(look.parallel.logarithmic)},
                                 {"hidden", array_of(look.parallel.hidden)},
                                 {"shown", array_of(look.parallel.shown)}};
  return QJsonDocument(json).toJson(QJsonDocument::Compact).toStdString();
}

SweepLook read_look(const std::string& text) {
  const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
  SweepLook look;
  look.x = json["x"].toString().toStdString();
  look.y = json["y"].toString().toStdString();
  look.colour = json["colour"].toString().toStdString();
  look.size = json["size"].toString().toStdString();
  look.logarithmic_x = json["logarithmic_x"].toBool();
  look.logarithmic_y = json["logarithmic_y"].toBool();
  const QJsonObject brushes = json["brushes"].toObject();
  for (auto brush = brushes.begin(); brush != brushes.end(); ++brush) {
    const QJsonArray range = brush.value().toArray();
    look.brushes[brush.key().toStdString()] = {range.at(0).toDouble(), range.at(1).toDouble()};
  }
  const QJsonArray chosen = json["chosen"].toArray();
  for (const auto& point : chosen) {
    if (point.toInteger() >= 0) look.chosen.push_back(static_cast<std::uint64_t>(point.toInteger()));
  }
  const QJsonObject parallel = json["parallel"].toObject();
  look.parallel = {names_of(parallel["order"]), set_of(parallel["flipped"]), set_of(parallel["logarithmic"]),
                   set_of(parallel["hidden"]), set_of(parallel["shown"])};
  return look;
}

}  // namespace convscope::ui
