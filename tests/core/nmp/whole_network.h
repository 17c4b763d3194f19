#pragma once
// A network that NMP's target has compiled, and its joined program.

#include <memory>
#include <string>
#include <vector>

#include "core/network/network.h"
#include "core/nmp/architecture/machine.h"
#include "core/nmp/architecture/program.h"
#include "core/nmp/link/solved_layer.h"
#include "core/target/target.h"

namespace convscope::nmp {

/// The board with true borders that takes all operators.
Machine board_of_all(bool free_running, bool doubled_by_choice = false);

/// Of a layer list.
network::Network network_of(const std::string& text);
/// Of the models' folder, with shapes; empty, and the test fails, if it can't be read.
network::Network network_of_file(const std::string& file);
/// Where it is; empty if there is none.
std::string model_path(const std::string& file);
/// Of a sample.
std::string sample_text(const std::string& name);

struct WholeNetwork {
  network::Network network;
  target::CompiledLayers layers;
  std::shared_ptr<const target::NetworkPlan> plan;
  std::shared_ptr<const target::LinkedNetwork> linked;
  double estimate = 0;  ///< seconds of all layers that have a program

  /// `fuses`: every sum that can be is computed with the layer before it, whether that saves time or not.
  WholeNetwork(network::Network compiled, const Machine& machine, bool fuses = false);

  bool has_program() const;
  /// What the totals say of it.
  std::string operation() const;
  /// As its file has it.
  Program program() const;
  std::vector<const SolvedLayer*> solved() const;
};

/// What the verifier says of a program; empty if it lets it pass.
std::string refusals_of(const Program& program);

/// Whether tests may take their time.
bool in_full();

}  // namespace convscope::nmp
