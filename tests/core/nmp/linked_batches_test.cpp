// Joined programs of several images at a time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nmp/host/run.h"
#include "whole_network.h"

namespace convscope::nmp {
namespace {

using testing::HasSubstr;

/// All operators, additions of both kinds, and filters that don't fit a memory of 1 KiB.
network::Network batch_of(int images) {
  network::Network network = network_of(
      "<layer_list name='n'><input name='image' maps='6' height='11' width='10'/>"
      "<conv name='a' maps='16' kernel='3' pad='same' activation='relu'/><conv name='b' maps='16' kernel='1'/>"
      "<add name='sum' from='a b'/><conv name='c' maps='8' kernel='3' pad='same'/>"
      "<max_pool name='m' from='sum' kernel='3' stride='1' pad='1'/><concat name='both' from='c m'/>"
      "<conv name='d' maps='24' kernel='3' pad='same'/><add name='last' from='d both'/>"
      "<average_pool name='pool' kernel='2' stride='2'/><fc name='fc' maps='10'/></layer_list>");
  network.batch = images;
  return network;
}

TEST(LinkedNetworks, ComputeBatchesLayerAfterLayer) {
  int kept = 0;
  for (const bool free_running : {false, true})
    for (const bool doubled : {false, true})
      for (const std::int64_t bytes : {1024, 32768}) {
        Machine machine = board_of_all(free_running, doubled && !free_running);
        machine.double_buffering = doubled && free_running;
        machine.weight_bytes = bytes;
        const Program one = WholeNetwork(batch_of(1), machine).program();
        for (const int images : {2, 5, 40}) {
          const WholeNetwork batch(batch_of(images), machine);
          ASSERT_TRUE(batch.has_program()) << batch.operation();
          EXPECT_THAT(batch.operation(), HasSubstr(" for " + std::to_string(images) + " images"));
          const Program program = batch.program();
          EXPECT_EQ(program.layers.size(), one.layers.size() * static_cast<std::size_t>(images));
          if (images == 40 && doubled && !in_full()) continue;
          EXPECT_EQ(refusals_of(program), "") << images;
          const ComparedRun run = run_and_compare(program, 3, {.jitter = free_running ? 1.5 : 0.0, .seed = 5});
          EXPECT_TRUE(run.equal()) << images << ": " << run.text();
          EXPECT_EQ(run.result.traffic, program.traffic);
          const auto weights = static_cast<std::size_t>(TrafficKind::weights);
          EXPECT_LE(program.traffic[weights], images * one.traffic[weights]);
          kept += program.traffic[weights] < images * one.traffic[weights] ? 1 : 0;
        }
      }
  EXPECT_GT(kept, 8);
}

TEST(LinkedNetworks, SayWhichBatchesHaveNoRoom) {
  for (const auto& [images, reason] :
       {std::pair{1000, "are more than the 4096 that a program has room for"}, {INT32_MAX, "are more than"}}) {
    const WholeNetwork batch(batch_of(images), board_of_all(false));
    EXPECT_FALSE(batch.has_program());
    EXPECT_THAT(batch.operation(), HasSubstr(reason));
  }
  network::Network large = network_of(
      "<layer_list name='n'><input name='image' maps='8' height='1000' width='1000'/>"
      "<conv name='a' maps='8' kernel='1'/><conv name='b' maps='8' kernel='1'/></layer_list>");
  large.batch = 100;
  EXPECT_THAT(WholeNetwork(large, board_of_all(false)).operation(),
              HasSubstr("of 100 images needs more than the 1073741824 bytes"));
}

}  // namespace
}  // namespace convscope::nmp
