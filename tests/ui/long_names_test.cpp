// Names of megabytes, which nobody reads: the window stays quick.

#include "ui/words/long_names.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/window/main_window.h"
#include "ui/window/view_list.h"

namespace convscope::ui::test {
namespace {

constexpr int megabytes = 5'000'000;

QByteArray varint(std::size_t value) {
  QByteArray bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

/// Fields of protobuf's encoding.
QByteArray number_field(std::size_t field, std::size_t value) {
  return varint(field << 3) + varint(value);
}
QByteArray bytes_field(std::size_t field, const QByteArray& content) {
  return varint((field << 3) | 2) + varint(static_cast<std::size_t>(content.size())) + content;
}

QByteArray tensor(const QByteArray& name) {
  QByteArray shape;
  for (const std::size_t dimension : {1, 3, 16, 16}) shape += bytes_field(1, number_field(1, dimension));
  return bytes_field(1, name) + bytes_field(2, bytes_field(1, number_field(1, 1) + bytes_field(2, shape)));
}

/// An ONNX model of three ReLUs: names of nodes and tensors have no limit in that format.
QString network_with_names(const QTemporaryDir& folder, const QByteArray& name) {
  QByteArray graph = bytes_field(2, name);
  for (int i = 0; i < 3; ++i) {
    const QByteArray from = i == 0 ? "x" : name + QByteArray::number(i - 1), to = name + QByteArray::number(i);
    graph += bytes_field(1, bytes_field(1, from) + bytes_field(2, to) +
                                bytes_field(3, name + "node" + QByteArray::number(i)) +
                                bytes_field(4, i == 2 ? name : QByteArray("Relu")));
  }
  graph += bytes_field(11, tensor("x")) + bytes_field(12, tensor(name + "2"));
  QFile file(folder.filePath("long.onnx"));
  EXPECT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(number_field(1, 7) + bytes_field(8, number_field(2, 13)) + bytes_field(7, graph));
  return file.fileName();
}

TEST(LongNames, BecomeTheirBeginAndTheirEndAndStayApart) {
  network::Network network;
  network.name = "short";
  for (const char* middle : {"a", "b"}) {
    network::Layer layer;
    layer.name = std::string(2000, 'x') + middle + std::string(2000, 'y');
    network.layers.push_back(layer);
  }
  EXPECT_EQ(shorten_names(network), 2U);
  EXPECT_EQ(network.name, "short");
  EXPECT_LE(network.layers[0].name.size(), longest_name);
  EXPECT_NE(network.layers[0].name, network.layers[1].name);
  EXPECT_EQ(shorten_names(network), 0U);
}

TEST(LongNames, AreNotCutWithinACharacter) {
  std::string name;
  while (name.size() < 3000) name += "ä€";
  const QString shown = QString::fromStdString(shown_name(name));
  EXPECT_FALSE(shown.contains(QChar::ReplacementCharacter));
  EXPECT_EQ(shown_name("ä"), "ä");
}

TEST(LongNames, OfResultsAreShortened) {
  explore::SweepTable table;
  table.title = std::string(megabytes, 't');
  table.reasons = {"", std::string(megabytes, 'r')};
  table.removed = {{std::string(megabytes, 'a'), 2}, {std::string(megabytes - 1, 'a'), 3}};
  explore::SweepColumn column;
  column.key = column.label = std::string(megabytes, 'l');
  column.names = {std::string(megabytes, 'n')};
  table.columns = {column};
  const auto shown = shown_table(std::make_shared<const explore::SweepTable>(table));
  EXPECT_LE(shown->title.size(), longest_name);
  EXPECT_LE(shown->reasons[1].size(), longest_name);
  EXPECT_LE(shown->columns[0].label.size(), longest_name);
  EXPECT_LE(shown->columns[0].names[0].size(), longest_name);
  EXPECT_EQ(shown->columns[0].key, column.key);
  ASSERT_EQ(shown->removed.size(), 1U);
  EXPECT_EQ(shown->removed.begin()->second, 5U);
  table = {};
  const auto plain = std::make_shared<const explore::SweepTable>(table);
  EXPECT_EQ(shown_table(plain), plain);
}

TEST(LongNames, DoNotBlockTheWindow) {
  const QTemporaryDir folder;
  const QString file = network_with_names(folder, QByteArray(megabytes, 'W'));
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  const BlockWatch watch;
  ASSERT_TRUE(open_and_wait(workbench, file)) << workbench.messages().text();
  for (const ViewEntry& entry : view_entries()) {
    window.show_view(entry.id);
    QTest::qWait(50);
  }
  artifact::Ref ref;
  ref.layer = 1;
  workbench.select(ref);
  QTest::qWait(50);
  EXPECT_LT(watch.longest_milliseconds(), 1000);
  const auto& messages = workbench.messages();
  EXPECT_NE(messages.text().find("longer than 1000 bytes"), std::string::npos) << messages.text();
  EXPECT_LT(messages.text().size(), 20'000U);
}

}  // namespace
}  // namespace convscope::ui::test
