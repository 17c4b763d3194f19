#pragma once
// Somebody else's convolution of a problem.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/cpu/run/test_data.h"

namespace convscope::peers {

class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  virtual std::string implementation() const = 0;    ///< as the library calls it
  virtual std::int64_t temporary_bytes() const = 0;  ///< beside image, kernel and output
  /// The convolution alone: what can be done once for a kernel is done before.
  virtual void run() = 0;
  /// Output of the last run as H W M.
  virtual std::vector<float> output() = 0;
};

/// oneDNN's direct convolution, or its Winograd's, in the formats that it likes best. Null if it has none for the
/// problem.
std::unique_ptr<Peer> make_onednn(const cpu::TestData& data, bool winograd);

/// Im2col and OpenBLAS's matrix product; 1x1 kernels without a copy. `by_pixel`: image H W C, a row of the matrix is a
/// pixel; else C H W, a row is a tap.
std::unique_ptr<Peer> make_im2col(const cpu::TestData& data, bool by_pixel);

}  // namespace convscope::peers
