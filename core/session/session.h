#pragma once
// What a user saves: network, machine, baselines, and what the window showed. A value; files hold it as XML.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/arch/parameters.h"
#include "core/artifact/ref.h"
#include "core/network/shape_inference.h"

namespace convscope::session {

/// A network file that is not part of the session: where it lies as seen from the session's folder, and what it held.
struct NetworkReference {
  std::string path;                   ///< relative to the folder of the session's file; absolute if that is impossible
  std::optional<std::uint64_t> hash;  ///< hash64 of the file's bytes
  /// What it was read with where the file leaves dimensions open; nothing if it states all of them, or if an older
  /// program saved the session.
  std::optional<network::InputSizes> sizes;
  bool operator==(const NetworkReference& other) const;
};

/// A parameter as text: what it means is known to the target alone.
struct Assignment {
  std::string name;
  std::string value;
  int line = 0;  ///< in the session's file, for diagnostics; 0 if it was not read
  bool operator==(const Assignment& other) const { return name == other.name && value == other.value; }
};

struct Machine {
  std::string target;  ///< id
  std::string preset;  ///< name, or path of a preset file; may be empty
  std::string level;
  std::vector<Assignment> parameters;  ///< all of them, so that a preset that changes later changes no session
  bool operator==(const Machine&) const = default;
};

/// A pinned run: all that is needed to compile it again.
struct Baseline {
  std::string name;
  NetworkReference network;
  Machine machine;
  std::string draft = {};  ///< file (docs/draft.md) of a schedule made by hand that stands in it; empty if none does
  bool operator==(const Baseline&) const = default;
};

struct Session {
  std::string program;                      ///< version of the program that saved it
  std::string autosave_of;                  ///< for an autosave: path of the session's file, empty if it had none
  std::optional<NetworkReference> network;  ///< none: nothing was open
  Machine machine;
  artifact::Ref selection;
  std::vector<Baseline> baselines;            ///< in the order in which they were pinned
  std::string theme;                          ///< "light", "dark" or empty
  std::map<std::string, std::string> window;  ///< layout and the like: text that only the window understands
  bool operator==(const Session&) const = default;
};

/// Parameters of a machine as a session keeps them.
std::vector<Assignment> assignments_of(const arch::ParameterValues& values);

/// `start` with a session's parameters set. What the target does not know any more, or refuses, keeps its value in
/// `start`, and a warning with file and line says so.
arch::ParameterValues machine_values(const Machine& machine, arch::ParameterValues start, const std::string& file,
                                     Diagnostics& diagnostics);

}  // namespace convscope::session
