#pragma once
// GraphDef in protobuf's wire format.

#include <memory>
#include <optional>
#include <string_view>

#include "core/readers/graphdef/model.h"

namespace convscope::readers::graphdef {

/// True if the first field is a node (a message that begins with its name and its operator), or the file is a
/// SavedModel, which is refused with what to do instead.
bool looks_like_binary(std::string_view bytes);
bool looks_like_saved_model(std::string_view bytes);

/// Tensors' bytes are not copied: `owner` keeps the file. Errors, with nothing: a message that leads out of the one
/// around it, with its byte; more than the caps of model.h. Fields of later versions are passed over.
std::optional<GraphDef> parse_binary(std::string_view bytes, std::shared_ptr<const void> owner, Report& report);

}  // namespace convscope::readers::graphdef
