#pragma once
// The Neuro Vector Engine as numbers. Source: thesis, chapter 3 (datapath 3.1, address generation 3.2, control 3.3);
// chapter 9.2 for what may vary. Defaults are the thesis's machine.

#include <memory>
#include <string_view>

#include "core/arch/parameters.h"

namespace convscope::nve {

/// Largest distance of the pixels that neighbouring lanes take: what the image register and an instruction's group bits
/// are made for.
inline constexpr int largest_lane_stride = 8;

/// Thesis, section 9.2.2.
enum class MemoryKind {
  true_dual_port,    ///< port A reads or writes, port B reads: the thesis's machine
  simple_dual_port,  ///< one read port (A) that feeds all registers, one write port (field MEMW)
  two_banks          ///< two simple dual-port banks: port A reads bank 0, port B bank 1, MEMW writes either
};

/// Whether a part of an iteration can run many times, with one pointer that moves all circular addresses.
enum class InnerLoop { off, on };

/// How words get from DRAM to the machine (thesis, sections 7.1.2 and 9.2.3, Fig. 35).
enum class TransferMode {
  scatter_gather,  ///< one descriptor per pixel column
  host_reordered,  ///< the host copies columns into one contiguous block first
  continuous       ///< ideal: already contiguous
};

/// The part of the machine that programs depend on. Passes get no more than this, so that dragging the clock, cores or
/// transfers reschedules nothing.
struct SchedulingMachine {
  int lanes = 16;      ///< MAC units; output rows of a strip
  int port_bits = 64;  ///< width of a buffer port and of a buffer word: 64 or 128
  int local_buffer_words = 512;
  int instruction_buffer_words = 512;
  int weight_registers = 4;  ///< rw[0 .. n-1]
  int image_extension = 7;   ///< pixels beyond the vector that `setsh` can load: ri[16-22] in the thesis
  MemoryKind memory = MemoryKind::true_dual_port;
  int write_to_read = 2;   ///< cycles from a buffer write to the first read that sees it
  int read_to_set = 2;     ///< cycles from a buffer read to the register operation that takes its word
  int set_to_use = 1;      ///< cycles from a register operation to the vector operation that uses it
  int output_latency = 3;  ///< cycles from `set rb` to the first ACT of the accumulators it moved out
  // Beyond the thesis: what modern networks need.
  InnerLoop loop = InnerLoop::off;
  int accumulators = 1;  ///< vectors of accumulators, a power of two
  int bias_shift = 0;    ///< largest shift of the bias that a program may set

  bool operator==(const SchedulingMachine&) const = default;

  int pixels_per_word() const { return port_bits / 8; }
  int coefficients_per_word() const { return port_bits / 16; }
  /// Coefficients that one `set rw` can bring.
  int coefficients_per_set() const {
    return weight_registers < coefficients_per_word() ? weight_registers : coefficients_per_word();
  }
  bool has_port_b() const { return memory != MemoryKind::simple_dual_port; }
  bool has_write_port() const { return memory != MemoryKind::true_dual_port; }
  /// Outputs of one ACT operation: half a vector.
  int activation_lanes() const { return lanes / 2; }
  /// Output words of one ACT operation.
  int words_per_activation() const { return (activation_lanes() + pixels_per_word() - 1) / pixels_per_word(); }
};

struct Machine : SchedulingMachine {
  double clock_hz = 100e6;
  int cores = 1;  ///< output maps are divided over cores that share the bandwidth
  TransferMode transfer_mode = TransferMode::continuous;
  double bandwidth = 800e6;            ///< bytes per second between DRAM and all cores
  int descriptor_cycles = 40;          ///< estimate: clock cycles to start one scatter-gather descriptor
  double host_copy_bandwidth = 400e6;  ///< estimate: bytes per second at which the host reorders pixels

  bool operator==(const Machine&) const = default;
};

/// How one pixel column lies in buffer words and reaches the image register, for vertical subsampling s.
/// The register holds `base_words` words (pixels 0 …) and an extension; lane l takes pixel l * s.
/// `set ri g` takes word g*words_per_set from port A and, if there is a port B and such a word, the next from port B.
/// `setsh` takes the extension word (index base_words) from port B (port A without one), keeps its first
/// `extension` pixels, and shifts by one. `sh` shifts by one. Thesis, section 3.1 for s = 1.
struct RegisterLayout {
  int base_words = 2;
  int words_per_set = 2;
  int extension = 7;  ///< usable pixels of the extension word
  int pixels_per_word = 8;
  int stride = 1;  ///< vertical subsampling s
  int lanes = 16;

  RegisterLayout(const SchedulingMachine& machine, int vertical_stride);
  int groups() const { return (base_words + words_per_set - 1) / words_per_set; }
  int register_pixels() const { return base_words * pixels_per_word + extension; }
  /// Whether a kernel of this height needs the extension word.
  bool needs_extension(int kernel_height) const {
    return (lanes - 1) * stride + kernel_height > base_words * pixels_per_word;
  }
  /// Largest kernel height that fits.
  int max_kernel_height() const { return register_pixels() - (lanes - 1) * stride; }
  /// Buffer words of one column for a kernel height.
  int words(int kernel_height) const { return base_words + (needs_extension(kernel_height) ? 1 : 0); }
  /// Port that must read word w of a column: 0 for A, 1 for B.
  int port(int word) const {
    if (words_per_set == 1) return 0;
    return word == base_words ? 1 : word % 2;
  }
  /// Pixels of a column that a strip needs.
  int column_pixels(int kernel_height) const { return (lanes - 1) * stride + kernel_height; }
};

/// All parameters with ranges, help and constraints.
std::shared_ptr<const arch::MachineDescription> machine_description();

/// Whether a parameter came after the first program files: it stands in a file only where it isn't its default.
bool is_later_parameter(std::string_view name);

/// The machine that a set of parameter values describes, and the way back.
Machine machine_from(const arch::ParameterValues& values);
arch::ParameterValues parameter_values(const Machine& machine);

}  // namespace convscope::nve
