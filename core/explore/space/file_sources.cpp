#include <filesystem>

#include <fmt/format.h>

#include "core/arch/preset.h"
#include "core/base/atomic_file.h"
#include "core/base/mapped_file.h"
#include "core/base/resources.h"
#include "core/explore/space/hash.h"
#include "core/explore/space/space_reader.h"
#include "core/target/presets.h"

namespace convscope::explore {
namespace {

class FileSources : public SpaceSources {
 public:
  FileSources(std::string folder, catalogue::CataloguePointer catalogue)
      : folder_(std::move(folder)), catalogue_(std::move(catalogue)) {}

  std::shared_ptr<const target::Target> target(std::string_view id) const override {
    return catalogue_->find_target(id);
  }

  std::optional<std::string> preset(const std::string& name, const target::Target& target, const Location& where,
                                    Diagnostics& diagnostics) const override {
    const bool is_file = name.find('/') != std::string::npos || name.ends_with(".xml");
    const std::string path = is_file ? beside(name) : target::preset_path(target, name);
    if (!is_file && !std::filesystem::exists(path)) {
      diagnostics.error(where, fmt::format("there is no preset '{}'", name),
                        fmt::format("a preset of target {}, or a file's name ending in .xml", target.id()),
                        name == target.default_preset()
                            ? data_hint(path)
                            : fmt::format("`convscope-cli parameters --target {}` lists them", target.id()));
      return std::nullopt;
    }
    return read_file(path, diagnostics);
  }

  std::optional<HashedNetwork> network(const std::string& file, const std::optional<network::InputSizes>& sizes,
                                       Diagnostics& diagnostics) const override {
    const std::string path = beside(file);
    const auto bytes = MappedFile::open(path, diagnostics);
    if (!bytes) return std::nullopt;
    auto network = catalogue_->read_network(path, diagnostics, sizes);
    if (!network) return std::nullopt;
    return HashedNetwork{std::make_shared<const network::Network>(std::move(*network)), content_hash(bytes->bytes())};
  }

 private:
  std::string beside(const std::string& file) const { return (std::filesystem::path(folder_) / file).string(); }

  std::string folder_;
  catalogue::CataloguePointer catalogue_;
};

}  // namespace

std::unique_ptr<SpaceSources> file_sources(const std::string& folder, catalogue::CataloguePointer catalogue) {
  return std::make_unique<FileSources>(folder, std::move(catalogue));
}

}  // namespace convscope::explore
