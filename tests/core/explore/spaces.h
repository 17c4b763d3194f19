#pragma once
// Spaces over a made-up machine with `lanes` and `bandwidth`, and what a sweep over them needs.

#include <map>
#include <memory>
#include <string>

#include "core/explore/space/space_reader.h"
#include "core/explore/sweep/sweep.h"
#include "tests/core/engine/counting_target.h"

namespace convscope::explore::test {

using engine::test::CountingTarget;

/// Target "counting", networks "N" of N layers, preset "counting".
class MadeUpSources : public SpaceSources {
 public:
  MadeUpSources() : counting(std::make_shared<CountingTarget>()) {}
  std::shared_ptr<const target::Target> target(std::string_view id) const override;
  std::optional<std::string> preset(const std::string& name, const target::Target& target, const Location& where,
                                    Diagnostics& diagnostics) const override;
  std::optional<HashedNetwork> network(const std::string& file, const std::optional<network::InputSizes>& sizes,
                                       Diagnostics& diagnostics) const override;

  std::shared_ptr<CountingTarget> counting;
};

/// What stands inside <machines target="counting">, with a network of three layers and the objectives cycles and macs.
std::string space_xml(const std::string& machines);
/// A space that must be accepted.
std::shared_ptr<const Space> space_of(const std::string& xml, const SpaceSources& sources);
/// The errors of a space that must be refused.
std::string refusal_of(const std::string& xml);

/// Figures of which some are known; the others have no value.
Figures figures_with(const Outcomes& outcomes, const std::map<std::string, double>& values, double coverage = 1);

/// A folder that is removed at the end.
class Folder {
 public:
  Folder();
  ~Folder();
  std::string path(const std::string& name) const { return path_ + '/' + name; }

 private:
  std::string path_;
};

std::string bytes_of(const std::string& path);

}  // namespace convscope::explore::test
