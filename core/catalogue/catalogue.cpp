#include "core/catalogue/catalogue.h"

#include "core/base/atomic_file.h"
#include "core/nve/nve_target.h"
#include "core/readers/convnet_xml/convnet_xml.h"

namespace convscope::catalogue {
namespace {

/// One reader: what it is called, what it takes, how it reads.
struct Reader {
  Format format;
  bool (*recognizes)(std::string_view text);
  std::optional<network::Network> (*read)(std::string_view text, const std::string& file, Diagnostics& diagnostics);
};

std::vector<Reader> readers() {
  return {{{"convnet-xml", "ConvNet descriptor (XML)", "*.xml"}, readers::is_convnet_xml, readers::read_convnet_xml}};
}

std::string format_titles() {
  std::string titles;
  for (const Format& format : formats()) titles += (titles.empty() ? "" : ", ") + format.title;
  return titles;
}

}  // namespace

std::vector<std::shared_ptr<const target::Target>> targets() {
  return {nve::make_nve_target()};
}

std::shared_ptr<const target::Target> find_target(std::string_view id) {
  for (auto& target : targets())
    if (target->id() == id) return target;
  return nullptr;
}

std::vector<Format> formats() {
  std::vector<Format> found;
  for (const Reader& reader : readers()) found.push_back(reader.format);
  return found;
}

std::optional<network::Network> read_network(const std::string& path, Diagnostics& diagnostics) {
  const std::optional<std::string> text = read_file(path, diagnostics);
  if (!text) return std::nullopt;
  for (const Reader& reader : readers())
    if (reader.recognizes(*text)) return reader.read(*text, path, diagnostics);
  diagnostics.error({path, 0, {}}, "the file's format is not known", format_titles(),
                    "`convscope-cli formats` lists what can be read");
  return std::nullopt;
}

}  // namespace convscope::catalogue
