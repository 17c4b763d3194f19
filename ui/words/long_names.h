#pragma once
// Names of networks and of results that are too long to be shown: the mere width of megabytes of text takes seconds to
// find.

#include <cstddef>
#include <memory>
#include <string>

#include "core/explore/results/sweep_table.h"
#include "core/network/network.h"

namespace convscope::ui {

inline constexpr std::size_t longest_name = 1000;  ///< bytes; no name that means something to people is longer

/// The name, or its begin and its end if it is longer than that.
std::string shown_name(const std::string& name);

/// Longer names of the network, its layers, operators, tensors and symbols become their begin, their end and a number,
/// which keeps those apart that begin and end alike. Returns how many those of layers and tensors were.
std::size_t shorten_names(network::Network& network);

/// The table, or one whose longer words for people are shortened; keys stay.
std::shared_ptr<const explore::SweepTable> shown_table(std::shared_ptr<const explore::SweepTable> table);

}  // namespace convscope::ui
