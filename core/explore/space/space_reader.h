#pragma once
// SPACE.xml, described in docs/space.md. Everything wrong is refused with its line before anything runs.

#include <optional>
#include <string>
#include <string_view>

#include "core/catalogue/catalogue.h"
#include "core/explore/space/space.h"
#include "core/network/shape_inference.h"

namespace convscope::explore {

/// What the reader asks of the world: the command line answers from files, tests and fuzzers from memory.
class SpaceSources {
 public:
  virtual ~SpaceSources() = default;
  virtual std::shared_ptr<const target::Target> target(std::string_view id) const = 0;
  /// Text of a preset by its name or file; nothing, with a diagnostic, if there is none.
  virtual std::optional<std::string> preset(const std::string& name, const target::Target& target,
                                            const Location& where, Diagnostics& diagnostics) const = 0;
  /// A network with a hash of its file.
  struct HashedNetwork {
    std::shared_ptr<const network::Network> network;
    std::string hash;
  };
  virtual std::optional<HashedNetwork> network(const std::string& file, const std::optional<network::InputSizes>& sizes,
                                               Diagnostics& diagnostics) const = 0;
};

/// Targets of the catalogue with the presets that come with them, files relative to `folder`.
std::unique_ptr<SpaceSources> file_sources(const std::string& folder, catalogue::CataloguePointer catalogue);

/// Nothing, with diagnostics, if there was an error.
std::optional<Space> read_space(std::string_view xml, const std::string& file, const SpaceSources& sources,
                                Diagnostics& diagnostics);

/// From a file, with the sources of its folder.
std::optional<Space> read_space_file(const std::string& path, catalogue::CataloguePointer catalogue,
                                     Diagnostics& diagnostics);

}  // namespace convscope::explore
