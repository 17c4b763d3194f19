#include "core/cpu/run/peak_loops.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstdint>

#include "core/cpu/run/sampling.h"

namespace convscope::cpu {
namespace {

// 12 sums: enough for a latency of 4 to 5 cycles on two units.
constexpr int sums = 12;

#if defined(__x86_64__)
#define CONVSCOPE_SUMS(instruction, R)                                                                            \
  instruction " %%" R "12, %%" R "13, %%" R "0\n\t" instruction " %%" R "12, %%" R "13, %%" R "1\n\t" instruction \
              " %%" R "12, %%" R "13, %%" R "2\n\t" instruction " %%" R "12, %%" R "13, %%" R "3\n\t" instruction \
              " %%" R "12, %%" R "13, %%" R "4\n\t" instruction " %%" R "12, %%" R "13, %%" R "5\n\t" instruction \
              " %%" R "12, %%" R "13, %%" R "6\n\t" instruction " %%" R "12, %%" R "13, %%" R "7\n\t" instruction \
              " %%" R "12, %%" R "13, %%" R "8\n\t" instruction " %%" R "12, %%" R "13, %%" R "9\n\t" instruction \
              " %%" R "12, %%" R "13, %%" R "10\n\t" instruction " %%" R "12, %%" R "13, %%" R "11\n\t"
#define CONVSCOPE_REGISTERS \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13"
// Clearing 256 bits clears the upper half of a 512-bit register as well.
#define CONVSCOPE_CLEARED                                                                                     \
  "vxorps %%ymm0, %%ymm0, %%ymm0\n\tvxorps %%ymm1, %%ymm1, %%ymm1\n\tvxorps %%ymm2, %%ymm2, %%ymm2\n\t"       \
  "vxorps %%ymm3, %%ymm3, %%ymm3\n\tvxorps %%ymm4, %%ymm4, %%ymm4\n\tvxorps %%ymm5, %%ymm5, %%ymm5\n\t"       \
  "vxorps %%ymm6, %%ymm6, %%ymm6\n\tvxorps %%ymm7, %%ymm7, %%ymm7\n\tvxorps %%ymm8, %%ymm8, %%ymm8\n\t"       \
  "vxorps %%ymm9, %%ymm9, %%ymm9\n\tvxorps %%ymm10, %%ymm10, %%ymm10\n\tvxorps %%ymm11, %%ymm11, %%ymm11\n\t" \
  "vxorps %%ymm12, %%ymm12, %%ymm12\n\tvxorps %%ymm13, %%ymm13, %%ymm13\n\t"

void multiply_add_512(std::int64_t rounds) {
  asm volatile(CONVSCOPE_CLEARED "1:\n\t" CONVSCOPE_SUMS("vfmadd231ps", "zmm") "dec %0\n\tjnz 1b\n\tvzeroupper"
               : "+r"(rounds)
               :
               : CONVSCOPE_REGISTERS, "cc");
}
void multiply_add_256(std::int64_t rounds) {
  asm volatile(CONVSCOPE_CLEARED "1:\n\t" CONVSCOPE_SUMS("vfmadd231ps", "ymm") "dec %0\n\tjnz 1b\n\tvzeroupper"
               : "+r"(rounds)
               :
               : CONVSCOPE_REGISTERS, "cc");
}
/// Without a fused instruction: a multiplication beside an addition each.
void multiply_add_scalar(std::int64_t rounds) {
  asm volatile(
      "xorps %%xmm0, %%xmm0\n\txorps %%xmm1, %%xmm1\n\txorps %%xmm2, %%xmm2\n\txorps %%xmm3, %%xmm3\n\t"
      "xorps %%xmm4, %%xmm4\n\txorps %%xmm5, %%xmm5\n\txorps %%xmm6, %%xmm6\n\txorps %%xmm7, %%xmm7\n\t"
      "xorps %%xmm8, %%xmm8\n\txorps %%xmm9, %%xmm9\n\txorps %%xmm10, %%xmm10\n\txorps %%xmm11, %%xmm11\n\t"
      "xorps %%xmm12, %%xmm12\n\t"
      "1:\n\t"
      "mulss %%xmm12, %%xmm0\n\taddss %%xmm12, %%xmm6\n\tmulss %%xmm12, %%xmm1\n\taddss %%xmm12, %%xmm7\n\t"
      "mulss %%xmm12, %%xmm2\n\taddss %%xmm12, %%xmm8\n\tmulss %%xmm12, %%xmm3\n\taddss %%xmm12, %%xmm9\n\t"
      "mulss %%xmm12, %%xmm4\n\taddss %%xmm12, %%xmm10\n\tmulss %%xmm12, %%xmm5\n\taddss %%xmm12, %%xmm11\n\t"
      "dec %0\n\tjnz 1b"
      : "+r"(rounds)
      :
      : CONVSCOPE_REGISTERS, "cc");
}

/// Ten a round, beside the loop's own.
void additions(std::int64_t rounds) {
  std::int64_t sum = 0;
  asm volatile(
      "1:\n\tadd $3, %1\n\tadd %1, %1\n\tadd $3, %1\n\tadd %1, %1\n\tadd $3, %1\n\t"
      "add %1, %1\n\tadd $3, %1\n\tadd %1, %1\n\tadd $3, %1\n\tadd %1, %1\n\tdec %0\n\tjnz 1b"
      : "+r"(rounds), "+r"(sum)
      :
      : "cc");
}

/// A kilobyte a round.
#define CONVSCOPE_READ(instruction, R, a, b, c, d)                                                             \
  instruction " " a "(%0), %%" R "0\n\t" instruction " " b "(%0), %%" R "1\n\t" instruction " " c "(%0), %%" R \
              "2\n\t" instruction " " d "(%0), %%" R "3\n\t"

void read_512(const std::byte* data, std::int64_t rounds) {
  asm volatile(
      "1:\n\t" CONVSCOPE_READ("vmovups", "zmm", "0", "64", "128", "192") CONVSCOPE_READ(
          "vmovups", "zmm", "256", "320", "384", "448") CONVSCOPE_READ("vmovups", "zmm", "512", "576", "640", "704")
          CONVSCOPE_READ("vmovups", "zmm", "768", "832", "896", "960") "add $1024, %0\n\tdec %1\n\tjnz 1b\n\tvzeroupper"
      : "+r"(data), "+r"(rounds)
      :
      : "xmm0", "xmm1", "xmm2", "xmm3", "cc", "memory");
}
/// Half a kilobyte a round.
void read_256(const std::byte* data, std::int64_t rounds) {
  asm volatile(
      "1:\n\t" CONVSCOPE_READ("vmovups", "ymm", "0", "32", "64", "96") CONVSCOPE_READ(
          "vmovups", "ymm", "128", "160", "192", "224") CONVSCOPE_READ("vmovups", "ymm", "256", "288", "320", "352")
          CONVSCOPE_READ("vmovups", "ymm", "384", "416", "448", "480") "add $512, %0\n\tdec %1\n\tjnz 1b\n\tvzeroupper"
      : "+r"(data), "+r"(rounds)
      :
      : "xmm0", "xmm1", "xmm2", "xmm3", "cc", "memory");
}
/// A quarter of a kilobyte a round.
void read_128(const std::byte* data, std::int64_t rounds) {
  asm volatile("1:\n\t" CONVSCOPE_READ("movups", "xmm", "0", "16", "32", "48") CONVSCOPE_READ(
                   "movups", "xmm", "64", "80", "96", "112") CONVSCOPE_READ("movups", "xmm", "128", "144", "160", "176")
                   CONVSCOPE_READ("movups", "xmm", "192", "208", "224", "240") "add $256, %0\n\tdec %1\n\tjnz 1b"
               : "+r"(data), "+r"(rounds)
               :
               : "xmm0", "xmm1", "xmm2", "xmm3", "cc", "memory");
}
#undef CONVSCOPE_SUMS
#undef CONVSCOPE_REGISTERS
#undef CONVSCOPE_CLEARED
#undef CONVSCOPE_READ

void multiply_add(Family family, std::int64_t rounds) {
  if (has_512_bits(family)) return multiply_add_512(rounds);
  if (family == Family::avx2) return multiply_add_256(rounds);
  multiply_add_scalar(rounds);
}
/// FLOP of a round.
double work_of(Family family) {
  const int lanes = has_512_bits(family) ? 16 : family == Family::avx2 ? 8 : 1;
  return family == Family::scalar ? sums : 2.0 * sums * lanes;
}
void read(Family family, const std::byte* data, std::size_t bytes) {
  if (has_512_bits(family)) return read_512(data, static_cast<std::int64_t>(bytes / 1024));
  if (family == Family::avx2) return read_256(data, static_cast<std::int64_t>(bytes / 512));
  read_128(data, static_cast<std::int64_t>(bytes / 256));
}

#else
// Elsewhere compilers make of these what they can.
using Vector = float __attribute__((vector_size(16)));

void multiply_add(Family family, std::int64_t rounds) {
  (void)family;
  Vector sum[sums]{}, a{}, b{};
  asm volatile("" : "+w"(a), "+w"(b));
  for (; rounds > 0; --rounds)
    for (Vector& each : sum) each += a * b;
  for (Vector& each : sum) asm volatile("" : "+w"(each));
}
double work_of(Family) {
  return 2.0 * sums * 4;
}
void additions(std::int64_t rounds) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < 10 * rounds; ++i) {
    sum += 3;
    asm volatile("" : "+r"(sum));
  }
}
void read(Family, const std::byte* data, std::size_t bytes) {
  Vector sum{};
  for (std::size_t i = 0; i < bytes; i += sizeof(Vector)) sum += *reinterpret_cast<const Vector*>(data + i);
  asm volatile("" : "+w"(sum));
}
#endif

}  // namespace

double multiply_add_rate(Family family, double microseconds) {
  // At most 4e9 cycles/s with one round of 12 in 6 cycles; slower machines take a little longer.
  const auto rounds = std::max<std::int64_t>(1, static_cast<std::int64_t>(microseconds * 600));
  const auto begin = std::chrono::steady_clock::now();
  multiply_add(family, rounds);
  return static_cast<double>(rounds) * work_of(family) / seconds_since(begin);
}

double addition_rate(double microseconds) {
  const auto rounds = std::max<std::int64_t>(1, static_cast<std::int64_t>(microseconds * 300));
  const auto begin = std::chrono::steady_clock::now();
  additions(rounds);
  return static_cast<double>(rounds) * 10 / seconds_since(begin);
}

double read_rate(Family family, const std::byte* data, std::size_t bytes, double seconds) {
  assert(reinterpret_cast<std::uintptr_t>(data) % read_alignment == 0);
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  const std::size_t portion = std::min(bytes, megabyte);
  read(family, data, bytes);
  const auto begin = std::chrono::steady_clock::now();
  double best = 0;
  std::size_t at = 0;
  do {
    const auto window = std::chrono::steady_clock::now();
    std::size_t done = 0;
    for (; done < megabyte; done += portion) {
      if (at + portion > bytes) at = 0;
      read(family, data + at, portion);
      at += portion;
    }
    best = std::max(best, static_cast<double>(done) / seconds_since(window));
  } while (seconds_since(begin) < seconds);
  return best;
}

}  // namespace convscope::cpu
