#pragma once
// Network files whose inputs leave sizes open.

#include <QString>

class QTemporaryDir;

namespace convscope::ui::test {

/// A convolution of 3 x 3 over RGB images of open batch, height and width.
QString open_size_network(const QTemporaryDir& folder, const QString& name = "open_size.onnxtxt");
/// Only the batch is open; images are 3 x 8 x 8.
QString open_batch_network(const QTemporaryDir& folder);
/// Open image size, but a fully connected layer that only 224 x 224 pixels fit.
QString picky_network(const QTemporaryDir& folder);

}  // namespace convscope::ui::test
