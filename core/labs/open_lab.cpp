#include "core/labs/open_lab.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/arch/preset.h"
#include "core/base/atomic_file.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/explore/space/hash.h"
#include "core/labs/lab_file.h"
#include "core/labs/links.h"
#include "core/labs/vocabulary.h"
#include "core/target/presets.h"

namespace convscope::labs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_text = std::size_t{1} << 20;

fs::path folder_of(const std::string& path) {
  fs::path given(path);
  if (given.filename() == "lab.xml") return given.has_parent_path() ? given.parent_path() : fs::path(".");
  return given;
}

/// Whether a file lies below a folder, whatever links say.
bool lies_in(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  const fs::path inner = fs::canonical(file, error), outer = fs::canonical(folder, error);
  if (error) return false;
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

/// The file beside the lab, or the sample of that name; nothing if there is none, or the path leads elsewhere.
std::optional<fs::path> network_path(const std::string& name, const fs::path& folder) {
  for (const fs::path& place : {folder, fs::path(sample_path("networks"))}) {
    std::error_code error;
    const fs::path path = place / name;
    if (fs::is_regular_file(path, error) && lies_in(path, place)) return path;
  }
  return std::nullopt;
}

/// Opens what a lab names; all mistakes are collected.
class Opener {
 public:
  Opener(Lab lab, fs::path folder, const catalogue::Catalogue& catalogue, Diagnostics& diagnostics)
      : lab_(std::move(lab)),
        folder_(std::move(folder)),
        file_((folder_ / "lab.xml").string()),
        catalogue_(catalogue),
        diagnostics_(diagnostics) {}

  OpenLabPointer open(const std::string& hash) {
    const std::string text = read_text();
    auto network = read_network();
    auto target = catalogue_.find_target(lab_.machine.target);
    if (!target) {
      diagnostics_.error(machine(), fmt::format("there is no target {}", in_quotes(lab_.machine.target)), targets());
      return nullptr;
    }
    auto start = read_machine(*target);
    if (!start || !network || diagnostics_.has_errors()) return nullptr;
    const std::string preset = lab_.machine.preset.empty() ? target->default_preset() : lab_.machine.preset;
    const std::string level = lab_.machine.level.empty() ? target->default_level() : lab_.machine.level;
    auto open =
        std::make_shared<OpenLab>(OpenLab{std::move(lab_), folder_.string(), hash, text, network_file_,
                                          std::move(network), std::move(target), preset, level, *std::move(start)});
    check(*open);
    return diagnostics_.has_errors() ? nullptr : open;
  }

 private:
  Location machine() const { return {file_, lab_.machine.line, "element <machine>"}; }

  std::string targets() const {
    std::vector<std::string> ids;
    for (const auto& target : catalogue_.targets) ids.push_back(target->id());
    return fmt::format("{}", fmt::join(ids, ", "));
  }

  std::string read_text() {
    const fs::path path = folder_ / "lab.md";
    std::error_code error;
    if (!fs::exists(path, error)) return {};
    if (!lies_in(path, folder_)) {
      diagnostics_.error({path.string(), 0, {}}, "leads out of the lab's folder", "a file in it");
      return {};
    }
    return read_file(path.string(), diagnostics_, largest_text).value_or(std::string());
  }

  std::shared_ptr<const network::Network> read_network() {
    const auto path = network_path(lab_.network, folder_);
    if (!path) {
      diagnostics_.error({file_, 0, {}}, fmt::format("there is no network {}", in_quotes(lab_.network)),
                         "a file in the lab's folder, or one of samples/networks", data_hint(sample_path("networks")));
      return nullptr;
    }
    network_file_ = path->string();
    auto network = catalogue_.read_network(network_file_, diagnostics_);
    return network ? std::make_shared<const network::Network>(*std::move(network)) : nullptr;
  }

  std::optional<arch::ParameterValues> read_machine(const target::Target& target) {
    const std::string preset = lab_.machine.preset.empty() ? target.default_preset() : lab_.machine.preset;
    const std::string path = target::preset_path(target, preset);
    std::error_code error;
    if (!is_plain(preset) || !fs::is_regular_file(path, error)) {
      diagnostics_.error(machine(), fmt::format("there is no preset {}", in_quotes(preset)),
                         "a preset of target " + target.id(), data_hint(path));
      return std::nullopt;
    }
    const auto text = read_file(path, diagnostics_);
    auto read = text ? arch::read_preset(*text, path, target.machine(), diagnostics_) : std::nullopt;
    if (!read) return std::nullopt;
    bool fine = true;
    for (const Assignment& each : lab_.machine.parameters)
      fine &= read->values.set(each.name, each.value, diagnostics_, {file_, each.line, {}});
    Diagnostics broken;
    if (!fine) return std::nullopt;
    if (read->values.check(broken)) return std::move(read->values);
    for (Diagnostic each : broken.items()) {
      each.where = machine();
      diagnostics_.add(std::move(each));
    }
    return std::nullopt;
  }

  static bool is_plain(const std::string& name) { return name.find('/') == std::string::npos; }

  void check(const OpenLab& lab) {
    check_level(lab, lab.level, machine());
    for (const Allowance& allowance : lab.lab.allowances) check_allowance(lab, allowance);
    for (const ProgramWanted& wanted : lab.lab.programs) check_program(lab, wanted);
    for (const TilingWanted& wanted : lab.lab.tilings)
      check_layer(lab, wanted.layer, {file_, wanted.line, fmt::format("tiling '{}'", wanted.name)});
    check_names(lab, file_, diagnostics_);
    check_links(lab, (folder_ / "lab.md").string(), diagnostics_);
  }

  void check_level(const OpenLab& lab, const std::string& level, const Location& where) {
    std::vector<std::string> names;
    for (const target::Level& each : lab.target->levels()) names.push_back(each.name);
    if (std::find(names.begin(), names.end(), level) == names.end())
      diagnostics_.error(where, fmt::format("target {} has no level {}", lab.target->id(), in_quotes(level)),
                         fmt::format("{}", fmt::join(names, ", ")));
  }

  void check_allowance(const OpenLab& lab, const Allowance& allowance) {
    const Location where{file_, allowance.line, "element <allow>"};
    for (const std::string& level : allowance.levels) check_level(lab, level, where);
    if (!allowance.parameter.empty() && !lab.start.description().find(allowance.parameter))
      diagnostics_.error(where,
                         fmt::format("target {} has no parameter {}", lab.target->id(), in_quotes(allowance.parameter)),
                         fmt::format("one that `convscope-cli parameters --target {}` lists", lab.target->id()));
  }

  void check_program(const OpenLab& lab, const ProgramWanted& wanted) {
    const Location where{file_, wanted.line, fmt::format("program '{}'", wanted.name)};
    check_layer(lab, wanted.layer, where);
    if (!lab.target->program_tools())
      diagnostics_.error(where, fmt::format("{} has no programs to hand in", lab.target->title()),
                         "a target that runs programs from files");
  }

  void check_layer(const OpenLab& lab, const std::string& layer, const Location& where) {
    if (!lab.layer(layer))
      diagnostics_.error(where, fmt::format("there is no layer {}", in_quotes(layer)), "one of the network's layers");
  }

  Lab lab_;
  fs::path folder_;
  std::string file_, network_file_;
  const catalogue::Catalogue& catalogue_;
  Diagnostics& diagnostics_;
};

}  // namespace

const Allowance* OpenLab::allowance(std::string_view parameter) const {
  for (const Allowance& each : lab.allowances)
    if (!each.parameter.empty() && start.description().find(each.parameter) == start.description().find(parameter))
      return &each;
  return nullptr;
}

std::vector<std::string> OpenLab::levels() const {
  std::vector<std::string> names{level};
  for (const Allowance& each : lab.allowances)
    for (const std::string& name : each.levels)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

std::optional<std::size_t> OpenLab::layer(std::string_view name) const {
  for (std::size_t i = 0; i < network->layers.size(); ++i)
    if (network->layers[i].name == name) return i;
  return std::nullopt;
}

OpenLabPointer open_lab(const std::string& path, const catalogue::Catalogue& catalogue, Diagnostics& diagnostics) {
  const fs::path folder = folder_of(path);
  const std::string file = (folder / "lab.xml").string();
  Diagnostics own;  // so that only its own errors count
  OpenLabPointer opened;
  if (const auto xml = read_file(file, own, largest_lab))
    if (auto lab = read_lab(*xml, file, own))
      opened = Opener(*std::move(lab), folder, catalogue, own).open(explore::content_hash(*xml));
  diagnostics.append(own);
  return opened;
}

std::vector<std::string> sample_labs() {
  std::vector<std::string> folders;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(sample_path("labs"), error))
    if (fs::exists(entry.path() / "lab.xml", error)) folders.push_back(entry.path().string());
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace convscope::labs
