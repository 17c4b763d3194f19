#pragma once
// Options that targets describe themselves, for simulations and measurements: a command offers those of all targets
// and takes those of the one that it works for.

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/catalogue/catalogue.h"
#include "core/target/options.h"

namespace convscope::cli {

class DescribedOptions {
 public:
  /// Options of a target; null if it has not the capability.
  using Descriptions = std::function<const std::vector<target::OptionDescription>*(const target::Target&)>;
  explicit DescribedOptions(Descriptions descriptions) : descriptions_(std::move(descriptions)) {}

  /// Once; a value that none of the targets takes is wrong usage.
  void add_to(CLI::App& command, const catalogue::Catalogue& catalogue);
  /// None of the options without `other`.
  void need(CLI::Option* other);
  /// The options of a target with what was given. Nothing, with diagnostics, if an option is not one of them, or if the
  /// target has not the capability while one was given.
  std::optional<target::OptionValues> resolve(const target::Target& target, Diagnostics& diagnostics) const;

 private:
  struct Offered {
    std::string name, text;
    std::vector<target::OptionDescription> meanings;  ///< one for each target that has it
    CLI::Option* option = nullptr;
  };
  void offer(const target::OptionDescription& description);
  static std::string mistake(const Offered& offered, const std::string& value);

  Descriptions descriptions_;
  std::deque<Offered> offered_;  // addresses stay
};

DescribedOptions simulation_options();
DescribedOptions measurement_options();
DescribedOptions trace_options();

}  // namespace convscope::cli
