// Joined programs on machines of other sizes, whose TLEs run free, and around a ring.

#include <gtest/gtest.h>

#include "core/nmp/host/run.h"
#include "whole_network.h"

namespace convscope::nmp {
namespace {

// A single TLT, a single TLE, more TLEs than rows or filters that they could share out; small memories make for many
// tiles and for layers that share filters. Whoever waits for too few would read what isn't there yet, sooner or later.
TEST(LinkedNetworks, RunFreeOnOtherMachines) {
  const std::string deep =
      "<layer_list name='deep'><input name='image' maps='4' height='30' width='20'/>"
      "<conv name='a' maps='12' kernel='3' pad='same'/><conv name='b' maps='12' kernel='5' pad='same'/>"
      "<max_pool name='m' kernel='2' stride='2'/><conv name='c' maps='24' kernel='3' pad='same'/>"
      "<conv name='d' maps='24' kernel='1'/><conv name='e' maps='24' kernel='3' pad='same'/>"
      "<add name='sum' from='c e'/><conv name='f' maps='8' kernel='3' pad='same'/>"
      "<conv name='g' maps='8' kernel='3' pad='same'/><fc name='fc' maps='5'/></layer_list>";
  int told = 0;
  for (const int tles : {1, 2, 8, 32})
    for (const int tlts : {1, 4})
      for (const std::int64_t bytes : {std::int64_t{4096}, std::int64_t{32768}}) {
        Machine machine = board_of_all(true);
        machine.tles = tles;
        machine.tlts = tlts;
        machine.input_bytes = machine.weight_bytes = machine.output_bytes = bytes;
        const WholeNetwork network(network_of(deep), machine);
        ASSERT_TRUE(network.has_program()) << tles << ' ' << network.operation();
        const Program program = network.program();
        EXPECT_EQ(refusals_of(program), "") << tles << ' ' << tlts << ' ' << bytes;
        for (const EncodedInstruction word : program.code)
          told += decode(word)->operation == Operation::post && posts_to_tles(*decode(word)) ? 1 : 0;
        for (const double jitter : {0.0, 1.5}) {
          const ComparedRun run = run_and_compare(program, 3, {.jitter = jitter, .seed = 7});
          EXPECT_TRUE(run.equal()) << tles << ' ' << tlts << ' ' << bytes << ": " << run.text();
        }
      }
  EXPECT_GT(told, 20);
}

// Layers share tiles with other TLEs than the layer before, and with the same.
TEST(LinkedNetworks, ShareTilesAroundARing) {
  const std::string deep =
      "<layer_list name='deep'><input name='image' maps='4' height='30' width='20'/>"
      "<conv name='a' maps='12' kernel='3' pad='same'/><conv name='b' maps='12' kernel='5' pad='same'/>"
      "<max_pool name='m' kernel='2' stride='2'/><conv name='c' maps='40' kernel='3' pad='same'/>"
      "<conv name='d' maps='40' kernel='1'/><conv name='e' maps='40' kernel='3' pad='same'/>"
      "<add name='sum' from='c e'/><conv name='f' maps='80' kernel='3' pad='same'/>"
      "<conv name='g' maps='8' kernel='3' pad='same'/><fc name='fc' maps='50'/></layer_list>";
  int faster = 0;
  for (const bool free_running : {false, true})
    for (const bool doubled : {false, true})
      for (const int tles : {2, 3, 4, 8})
        for (const int tlts : {1, 4}) {
          Machine machine = board_of_all(free_running, doubled && !free_running);
          machine.double_buffering = doubled && free_running;
          machine.tles = tles;
          machine.tlts = tlts;
          const double without = simulate(WholeNetwork(network_of(deep), machine).program()).seconds;
          machine.ring.on = true;
          const WholeNetwork network(network_of(deep), machine);
          ASSERT_TRUE(network.has_program()) << tles << ' ' << network.operation();
          const Program program = network.program();
          EXPECT_EQ(refusals_of(program), "") << tles << ' ' << tlts << ' ' << free_running << doubled;
          for (const double jitter : {0.0, 1.5}) {
            const ComparedRun run = run_and_compare(program, 3, {.jitter = jitter, .seed = 7});
            EXPECT_TRUE(run.equal()) << tles << ' ' << tlts << ' ' << free_running << doubled << ": " << run.text();
            EXPECT_EQ(run.result.traffic, program.traffic);
            EXPECT_GT(run.result.ring_seconds, 0) << tles;
            faster += jitter == 0 && run.result.seconds < without ? 1 : 0;
          }
        }
  EXPECT_GE(faster, 24);  // of 32
}

}  // namespace
}  // namespace convscope::nmp
