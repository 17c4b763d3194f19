#pragma once
// A lab with all that it names: its text, its network, its machine. From here on a lab can be worked on and graded.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/labs/lab.h"
#include "core/network/network.h"

namespace convscope::labs {

struct OpenLab {
  Lab lab;
  std::string folder;        ///< where it lies
  std::string hash;          ///< of lab.xml, in 16 hexadecimal digits
  std::string text;          ///< of lab.md; empty if there is none
  std::string network_file;  ///< as it was found
  std::shared_ptr<const network::Network> network;
  std::shared_ptr<const target::Target> target;
  std::string preset, level;    ///< that it starts with
  arch::ParameterValues start;  ///< the machine that it starts with

  /// What a student may set; null if nothing of it may be changed.
  const Allowance* allowance(std::string_view parameter) const;
  /// The levels that may be chosen, the lab's own among them.
  std::vector<std::string> levels() const;
  /// Index of a layer, or nothing.
  std::optional<std::size_t> layer(std::string_view name) const;
};
using OpenLabPointer = std::shared_ptr<const OpenLab>;

/// Opens FOLDER/lab.xml, or the folder of a path that ends in lab.xml. The network's file must lie in the folder, or
/// else among the samples: paths that lead out are refused. Every name in it must be one of the network's, the
/// target's or its own. Null, with a diagnostic for every mistake, if there is one.
OpenLabPointer open_lab(const std::string& path, const catalogue::Catalogue& catalogue, Diagnostics& diagnostics);

/// Folders of the labs that come with the program, in their order.
std::vector<std::string> sample_labs();

}  // namespace convscope::labs
