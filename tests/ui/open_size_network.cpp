#include "tests/ui/open_size_network.h"

#include <QFile>
#include <QTemporaryDir>

namespace convscope::ui::test {
namespace {

QString write(const QTemporaryDir& folder, const QString& name, const QString& nodes, const QString& image) {
  const QString path = folder.filePath(name);
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return {};
  file.write(QStringLiteral(R"(ir_version: 8
graph {
  name: "open size"
%1
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_param: "n" } dim { dim_value: 3 } %2 } } } }
  output { name: "y" type { tensor_type { elem_type: 1 } } }
}
opset_import { domain: "" version: 13 }
)")
                 .arg(nodes, image)
                 .toUtf8());
  return path;
}

const QString convolution = QStringLiteral(R"(
  node { input: "x" input: "w" output: "y" name: "conv" op_type: "Conv" }
  initializer { name: "w" data_type: 1 dims: 2 dims: 3 dims: 3 dims: 3 float_data: 1 })");
const QString open_image = QStringLiteral("dim { dim_param: \"h\" } dim { dim_param: \"w\" }");

/// The weights' values do not matter; that there are as many as the dimensions say does.
QString weights(const QString& text, int count) {
  QString values;
  for (int i = 0; i < count; ++i) values += QStringLiteral(" float_data: 1");
  return QString(text).replace(" float_data: 1", values);
}

}  // namespace

QString open_size_network(const QTemporaryDir& folder, const QString& name) {
  return write(folder, name, weights(convolution, 2 * 3 * 3 * 3), open_image);
}

QString open_batch_network(const QTemporaryDir& folder) {
  return write(folder, "open_batch.onnxtxt", weights(convolution, 2 * 3 * 3 * 3),
               "dim { dim_value: 8 } dim { dim_value: 8 }");
}

QString picky_network(const QTemporaryDir& folder) {
  const QString text = QStringLiteral(R"(
  node { input: "x" output: "flat" name: "flatten" op_type: "Flatten" }
  node { input: "flat" input: "w" output: "y" name: "dense" op_type: "Gemm" }
  initializer { name: "w" data_type: 1 dims: 150528 dims: 1 float_data: 1 })");
  return write(folder, "picky.onnxtxt", weights(text, 150528), open_image);
}

}  // namespace convscope::ui::test
