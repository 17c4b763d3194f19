#include "app/cli/options.h"

#include "core/base/sample_network.h"

namespace convscope::cli {
namespace {

CLI::Validator one_of_targets(const catalogue::Catalogue& catalogue) {
  std::vector<std::string> ids;
  for (const auto& each : catalogue.targets) ids.push_back(each->id());
  return CLI::IsMember(ids);
}

std::string well_formed_setting(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  return equals == 0 || equals == std::string::npos ? "'" + setting + "' is not NAME=VALUE" : "";
}

std::string sample_if_it_is_one(std::string& network) {
  network = network_path(network);
  return {};
}

std::string well_formed_size(const std::string& size) {
  return request::parse_size(size) ? "" : "'" + size + "' is not HEIGHTxWIDTH in pixels";
}

}  // namespace

void MachineOptions::add_machine_to(CLI::App& command, const catalogue::Catalogue& catalogue) {
  target = catalogue.targets.front()->id();
  command.add_option("--target", target, "Machine to compile for")
      ->check(one_of_targets(catalogue))
      ->each([this](const std::string&) { target_given = true; })
      ->capture_default_str();
  command.add_option("--preset", preset, "Parameter values: a preset's name or an XML file");
  command.add_option("--set", settings, "Set a parameter, NAME=VALUE; may be repeated")
      ->check(CLI::Validator(well_formed_setting, "NAME=VALUE"))
      ->allow_extra_args(false)
      ->take_all();
}

void MachineOptions::add_to(CLI::App& command, const catalogue::Catalogue& catalogue) {
  add_machine_to(command, catalogue);
  command.add_option("--level", level, "Optimization level (`parameters` lists them)");
}

void NetworkOptions::add_to(CLI::App& command) {
  command
      .add_option("NETWORK", file,
                  "Network file, see `formats`, a sample's name, or a session's file, which has its machine")
      ->transform(CLI::Validator(sample_if_it_is_one, ""))
      ->required();
  command.add_option("--layer", layers, "Only this layer; may be repeated")->allow_extra_args(false)->take_all();
  command.add_option("--batch", batch, "Batch size, for formats that leave it open")->check(CLI::PositiveNumber);
  command.add_option("--input-size", input_size, "Input size, for formats that leave it open")
      ->check(CLI::Validator(well_formed_size, "HEIGHTxWIDTH"));
}

}  // namespace convscope::cli
