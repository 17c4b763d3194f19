#pragma once
// Fills the buffer that stands in the image's place (tree/image_buffer.h).

#include <cstdint>

#include "core/cpu/syntax/node.h"
#include "core/cpu/tree/plan.h"

namespace convscope::cpu {

/// What of the padded image the buffer holds: all of it, or rows (columns of the only row) from `first` on.
struct ImagePart {
  char dimension = 0;  ///< H, W; 0: all
  Affine first;        ///< of the padded image
  int extent = 0;      ///< places of the buffer
};

/// Vectors of elements, converted as they are loaded. Columns of padding, and all padding of a whole image, are zero
/// from the beginning and stay so; rows (columns) of a part that the image doesn't have are cleared, as the part before
/// may have had something there. What vectors along W reach beyond a part's last pixel is left as it was: it makes
/// outputs that are not stored.
NodePtr copy_image(const Plan& plan, const ImagePart& part);

}  // namespace convscope::cpu
