// Folders of images as inputs: what is taken, and what is told of what can't be.

#include "core/reference/image_folder.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cancellation.h"

namespace convscope::reference {
namespace {

using testing::HasSubstr;

class ImageFolderTest : public testing::Test {
 protected:
  ImageFolderTest() {
    graph.tensors.push_back({"in", network::ElementType::float32, {true, {1, 1, 2, 3}, {}}, nullptr});
    graph.inputs = {0};
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  ~ImageFolderTest() override { std::filesystem::remove_all(folder); }

  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder / name, std::ios::binary) << bytes;
  }
  /// A gray image of these sizes, every pixel alike.
  void write_gray(const std::string& name, int width, int height, char pixel) const {
    write(name, "P5\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n" +
                    std::string(static_cast<std::size_t>(width * height), pixel));
  }
  std::vector<FloatTensors> read(std::int64_t most = folder_cap, const std::stop_token& stop = {}) {
    diagnostics = {};
    return read_images(graph, {folder.string(), {10, 2}}, "net.onnx", "--images", diagnostics, stop, most);
  }

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("convscope-images-" + std::to_string(::getpid()));
  network::Graph graph;
  Diagnostics diagnostics;
};

TEST_F(ImageFolderTest, ImagesOfAllSizesInTheOrderOfTheirNames) {
  write_gray("b.pgm", 1, 1, 30);
  write_gray("a.PGM", 40, 50, 20);
  write("notes.txt", "no image");
  const auto images = read();
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_THAT(diagnostics.text(), HasSubstr("40x50"));
  ASSERT_EQ(images.size(), 2U);
  EXPECT_EQ(images[0].at("in").values, std::vector<double>(6, 5)) << "cropped";
  EXPECT_EQ(images[1].at("in").values.size(), 6U) << "filled";
  EXPECT_EQ(images[1].at("in").values.front(), 10);
}

TEST_F(ImageFolderTest, WhatOnlyHasTheNameOfAnImageIsNone) {
  write_gray("a.pgm", 3, 2, 20);
  std::filesystem::create_directories(folder / "album.png");
  ASSERT_EQ(::mkfifo((folder / "pipe.png").c_str(), 0600), 0);
  EXPECT_EQ(read().size(), 1U);
  EXPECT_EQ(diagnostics.text(), "");
}

TEST_F(ImageFolderTest, EachImageThatCannotBeReadIsTold) {
  write_gray("a.pgm", 3, 2, 20);
  write("empty.png", "");
  write("half.jpg", "\xff\xd8\xff");
  write("short.pgm", "P5\n100 100\n255\nfew");
  std::filesystem::create_symlink("nowhere.png", folder / "broken.png");
  EXPECT_EQ(read().size(), 1U);
  for (const char* name : {"empty.png", "half.jpg", "short.pgm", "broken.png"})
    EXPECT_THAT(diagnostics.text(), HasSubstr(name));
  EXPECT_TRUE(diagnostics.has_errors());
}

TEST_F(ImageFolderTest, FoldersWithoutImages) {
  EXPECT_TRUE(read().empty());
  EXPECT_THAT(diagnostics.text(), HasSubstr("there are no images in it"));
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(read().empty());
  EXPECT_THAT(diagnostics.text(), HasSubstr(folder.string()));
  EXPECT_THAT(diagnostics.text(), HasSubstr("a folder of PNG"));
}

TEST_F(ImageFolderTest, MoreThanThereIsRoomForIsRefusedBeforeAnythingIsRead) {
  for (int i = 0; i < 4; ++i) write(std::to_string(i) + ".png", "no image, but nobody looks");
  EXPECT_TRUE(read(3 * 6 + 5).empty());
  EXPECT_EQ(diagnostics.items().size(), 1U);
  EXPECT_THAT(diagnostics.text(), HasSubstr("it holds 4 images"));
  EXPECT_THAT(diagnostics.text(), HasSubstr("at most 3"));
}

TEST_F(ImageFolderTest, StopsBetweenImages) {
  write_gray("a.pgm", 3, 2, 20);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(read(folder_cap, stop.get_token()), Cancelled);
}

// Whenever that happens, nobody calibrates with a part of the images; the delay is found that hits the reading.
TEST_F(ImageFolderTest, FoldersThatGoAwayWhileTheyAreRead) {
  for (int i = 0; i < 60; ++i) write_gray(std::to_string(i) + ".pgm", 700, 700, 20);
  const std::filesystem::path gone = folder.string() + "-gone";
  int whole = 0, none = 0, told = 0;
  for (int delay = 0; delay < 40'000 && told == 0; delay = 2 * delay + 50) {
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(delay));
      std::filesystem::rename(folder, gone);
    });
    const std::size_t images = read().size();
    other.join();
    std::filesystem::rename(gone, folder);
    ASSERT_TRUE(images == 0 || images == 60) << images;
    EXPECT_EQ(images == 0, diagnostics.has_errors());
    ++(images == 0 ? none : whole);
    EXPECT_LE(diagnostics.items().size(), 62U)
        << "one for each image, cropped, one for the first that isn't there, last";
    told += diagnostics.text().find("it went away while it was read") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(told, 1) << none << " times before it was listed, " << whole << " times behind the last";
}

TEST_F(ImageFolderTest, NetworksThatTakeNoImage) {
  graph.tensors[0].shape.dimensions = {1, 10};
  write_gray("a.pgm", 3, 2, 20);
  EXPECT_TRUE(read().empty());
  EXPECT_THAT(diagnostics.text(), HasSubstr("doesn't take one image"));
}

}  // namespace
}  // namespace convscope::reference
