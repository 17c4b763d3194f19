#pragma once
// Rules of vector instructions: what they read and where they write. Private to the verifier.

#include <array>
#include <cstdint>

#include "core/snowflake/verify/verify_code.h"
#include "core/snowflake/verify/verify_loads.h"

namespace convscope::snowflake::verification {

using Registers = std::array<std::int32_t, registers>;

class Vectors {
 public:
  Vectors(const Program& program, Loads& loads, Report& report);

  /// The machine takes the instruction into its queue.
  void run(int address, const Operation& operation, const Registers& values);

  std::int64_t count = 0;  ///< that ran
  std::int64_t work = 0;   ///< as Loads::work

 private:
  /// Words of one kind of buffer.
  struct Trace {
    std::int64_t first = 0, words = 0;
  };

  /// What adds to accumulators in its own way.
  enum class Kind { cooperative, independent, lanes, maximum };

  void configure(int address, std::int32_t value);
  void accumulate(const Operation& operation);
  void move(const Operation& operation, std::int64_t word);
  void pixels(const Operation& operation, const Registers& values);
  void mac(const Operation& operation, const Registers& values);
  void write(std::int64_t first, std::int64_t stride, std::int64_t words);
  void read_maps(BufferMask cus, Trace trace) { read(loads_.maps, cus, trace, "maps"); }
  void read_kernels(BufferMask vmacs, Trace trace) { read(loads_.kernels, vmacs, trace, "kernel"); }
  void read(BufferSet& buffers, BufferMask which, Trace trace, const char* kind);

  const Machine& machine_;
  Loads& loads_;
  Report& report_;
  int address_ = 0;

  bool open_ = false;  ///< traces since the last write-back, of the kind and CUs that follow
  Kind open_kind_ = Kind::cooperative;
  BufferMask open_cus_ = 0;

  std::int32_t configured_ = 0;  ///< value of the register that these say
  Configuration configuration_;
  BufferMask cus_ = 0, vmacs_ = 0, first_vmacs_ = 0;  ///< buffers that take part
};

}  // namespace convscope::snowflake::verification
