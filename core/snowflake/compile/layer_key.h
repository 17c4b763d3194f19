#pragma once
// A layer as a key of passes: the same fields as ProgramLayer's, in parts of few fields.

#include <string>

#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake {

struct LayerKey {
  struct Window {
    int kernel_height, kernel_width, stride_height, stride_width, dilation_height, dilation_width;
    int padding_top, padding_left;
  };
  struct Arithmetic {
    bool relu, count_padding;
    int fraction, weights_fraction, in_fraction, out_fraction;
  };
  std::string name;
  LayerKind kind;
  MapsPlace in, out, bypass;
  Window window;
  int groups;
  Arithmetic arithmetic;
};

/// Kernels have no place yet; they get one from the mapping.
inline LayerKey key_of(const ProgramLayer& l) {
  return {l.name,
          l.kind,
          l.in,
          l.out,
          l.bypass,
          {l.kernel_height, l.kernel_width, l.stride_height, l.stride_width, l.dilation_height, l.dilation_width,
           l.padding_top, l.padding_left},
          l.groups,
          {l.relu, l.count_padding, l.fraction, l.weights_fraction, l.in_fraction, l.out_fraction}};
}

inline ProgramLayer layer_of(const LayerKey& key) {
  const LayerKey::Window& w = key.window;
  const LayerKey::Arithmetic& a = key.arithmetic;
  return {key.name,          key.kind,         key.in,
          key.out,           key.bypass,       w.kernel_height,
          w.kernel_width,    w.stride_height,  w.stride_width,
          w.dilation_height, w.dilation_width, w.padding_top,
          w.padding_left,    key.groups,       a.relu,
          a.count_padding,   a.fraction,       a.weights_fraction,
          a.in_fraction,     a.out_fraction,   {}};
}

}  // namespace convscope::snowflake
