// Files of an image that have other names, by links.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "inspect/elf_maker.hpp"
#include "inspect/image.hpp"
#include "inspect/report.hpp"
#include "support/tar_maker.hpp"

namespace envgen::inspect {
namespace {

using test::elf_of;
using test::fatbin_of;
using test::hard_link;
using test::member;
using test::symlink;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string packages = "usr/lib/python3.12/site-packages/";
const std::string cache = "root/.cache/uv/archive-v0/abc/";
const std::string cuda_library = "torch/lib/libtorch_cuda.so";
const std::vector<std::pair<std::string, std::string>> files_of_torch{
    {"torch/version.py", "__version__ = '2.9.1'\ncuda = '12.8'\n"},
    {cuda_library, elf_of({{{"libcudart.so.12", {}}}, fatbin_of({{2, 80}})}).bytes},
    {"torch-2.9.1.dist-info/METADATA", "Name: torch\nVersion: 2.9.1\n"},
    {"torch-2.9.1.dist-info/WHEEL", "Tag: cp312-cp312-manylinux_2_28_x86_64\n"}};

std::string torch_in(const std::string& folder) {
  std::string archive;
  for (const auto& [name, text] : files_of_torch) archive += member(folder + name, text);
  return archive;
}
template <class Link>
std::string torch_linked(const std::string& folder, const std::string& to, const Link& link) {
  std::string archive;
  for (const auto& [name, text] : files_of_torch) archive += link(folder + name, to + name);
  return archive;
}

Expected<Inspected> image_of(const std::string& files, int* times = nullptr) {
  const auto bytes = files + test::tar_end;
  ImageInspection inspection("mine:1");
  const auto feed = [&] {
    if (times != nullptr) ++*times;
    for (std::size_t at = 0; at < bytes.size(); at += 1000) {
      if (!inspection.feed(bytes_of(std::string_view(bytes).substr(at, 1000)))) return;
    }
  };
  feed();
  const auto again = inspection.wants_again();
  if (!again) return tl::unexpected(again.error());
  if (*again) feed();
  return inspection.finish();
}

std::vector<std::string> unreadable_in(const Inspected& inspected) {
  std::vector<std::string> all;
  for (const auto& one : inspected.unreadable) all.push_back(fmt::format("{}: {}", one.path, one.why));
  return all;
}

void expect_torch(const std::string& files, const std::string& folder = packages) {
  const auto inspected = image_of(files);
  ASSERT_TRUE(inspected) << inspected.error().message;
  ASSERT_EQ(inspected->packages.size(), 1U);
  EXPECT_EQ(inspected->packages[0].metadata.version, "2.9.1");
  EXPECT_THAT(inspected->packages[0].tags, ElementsAre("cp312-cp312-manylinux_2_28_x86_64"));
  ASSERT_EQ(inspected->libraries.size(), 1U);
  EXPECT_EQ(inspected->libraries[0].path, folder + cuda_library);
  ASSERT_TRUE(inspected->torch);
  EXPECT_EQ(inspected->torch->cuda, Version(12, 8));
  EXPECT_EQ(inspected->torch->compiled.to_string(), "sm_80");
  EXPECT_THAT(unreadable_in(*inspected), IsEmpty());
}

TEST(Links, HardOnesFromTheCacheOfUv) {
  // Of two names the archive has the bytes with the first.
  expect_torch(torch_in(cache) + torch_linked(packages, cache, hard_link));
  expect_torch(torch_in("./" + cache) + torch_linked("./" + packages, cache, hard_link));
}

TEST(Links, SymbolicOnesBeforeAndBehindWhatTheyLeadTo) {
  expect_torch(torch_linked(packages, "/" + cache, symlink) + torch_in(cache));
  expect_torch(torch_in(cache) + torch_linked(packages, "/" + cache, symlink));
}

TEST(Links, AreRelativeToTheirFolderAndLeadNoHigherThanToTheTop) {
  expect_torch(symlink(packages + "torch", "../../../../opt/./t") + symlink(packages + "torch-2.9.1.dist-info", "/../../opt/d") +
               member("opt/t/version.py", files_of_torch[0].second) +
               member("opt/t/lib/libtorch_cuda.so", files_of_torch[1].second) +
               member("opt/d/METADATA", files_of_torch[2].second) + member("opt/d/WHEEL", files_of_torch[3].second));
}

TEST(Links, OfAWholeFolder) {
  expect_torch(symlink("usr/lib/python3.12/site-packages", "/opt/real") + torch_in("opt/real/"));
  // And in that folder, a link to a link, and a hard one.
  expect_torch(symlink("usr/lib/python3.12/site-packages", "/opt/one") + symlink("opt/one", "two") + symlink("data", "mnt") +
               torch_in("mnt/store/") + symlink("opt/two/torch", "/data/store/torch") +
               hard_link("opt/two/torch-2.9.1.dist-info/METADATA", "mnt/store/torch-2.9.1.dist-info/METADATA") +
               hard_link("opt/two/torch-2.9.1.dist-info/WHEEL", "mnt/store/torch-2.9.1.dist-info/WHEEL"));
}

TEST(Links, OfALibraryAlone) {
  for (const auto& link : {symlink(packages + cuda_library, "/opt/x.so.1"), hard_link(packages + cuda_library, "opt/x.so.1")}) {
    expect_torch(member(packages + "torch/version.py", files_of_torch[0].second) +
                 member(packages + "torch-2.9.1.dist-info/METADATA", files_of_torch[2].second) +
                 member(packages + "torch-2.9.1.dist-info/WHEEL", files_of_torch[3].second) +
                 member("opt/x.so.1", files_of_torch[1].second) + link);
  }
}

TEST(Links, ToWhatIsReadAnywayAreOtherNamesOfIt) {
  int times = 0;
  const auto inspected =
      image_of(torch_in(packages) + member(packages + "torch-2.9.1.dist-info/RECORD", "") +
                   symlink(packages + "torch/lib/libother.so", "libtorch_cuda.so") +
                   hard_link(packages + "torch/lib/libthird.so", packages + cuda_library) +
                   symlink(packages + "torch/lib/all", ".") + symlink(packages + "torch/include/a.h", "/nowhere/a.h") +
                   symlink("usr/lib64", "lib") + symlink("opt/venv/lib/site-packages", "/usr/lib/python3.12/site-packages") +
                   symlink("opt/conda/pkgs/p/site-packages/torch/lib/libx.so", "/nowhere"),
               &times);
  ASSERT_TRUE(inspected) << inspected.error().message;
  EXPECT_EQ(inspected->libraries.size(), 1U);
  EXPECT_EQ(inspected->packages.size(), 1U);
  EXPECT_THAT(unreadable_in(*inspected), IsEmpty());
  EXPECT_EQ(times, 1) << "the engine hands out the files a second time only where it must";
}

TEST(Links, InAFolderThatIsALinkLeadBackIntoIt) {
  expect_torch(symlink("usr/lib/python3.12/site-packages", "/opt/real") + torch_in("opt/real/") +
               symlink("opt/real/torch/lib/self", ".") + symlink("opt/real/torch/lib/up", "..") +
               symlink("opt/real/torch/lib/libtorch_cuda.so.1", "libtorch_cuda.so"));
}

TEST(Links, OfCondaAreReadByTheNameInTheEnvironment) {
  const std::string folder = "opt/conda/lib/python3.12/site-packages/";
  const std::string copy = "opt/conda/pkgs/p/lib/python3.12/site-packages/";
  expect_torch(torch_in(copy) + torch_linked(folder, copy, hard_link), folder);
  expect_torch(torch_in(folder) + torch_linked(copy, folder, hard_link), folder);
}

TEST(Links, ThatLeadInACircleAreSaid) {
  const auto nothing = image_of(symlink(packages + "torch", "torch2") + symlink(packages + "torch2", "torch"));
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::bad_input);
  EXPECT_EQ(nothing.error().origin, "mine:1");
  EXPECT_EQ(nothing.error().message,
            "cannot tell whether the image contains torch: cannot read 'usr/lib/python3.12/site-packages/torch': its link is "
            "a loop, or passes through more than 40 others");
  const auto some = image_of(member(packages + "torch-2.9.1.dist-info/METADATA", files_of_torch[2].second) +
                             hard_link(packages + cuda_library, packages + cuda_library));
  ASSERT_TRUE(some) << some.error().message;
  EXPECT_EQ(inspected_text(*some, {}),
            "torch                  2.9.1\n"
            "CUDA version           unknown\n"
            "GPU code (SASS)        unknown\n"
            "PTX                    unknown\n"
            "CUDA libraries needed  unknown\n"
            "not read               usr/lib/python3.12/site-packages/torch/lib/libtorch_cuda.so: its link is a loop, or "
            "passes through more than 40 others\n");
}

TEST(Links, OfALongChainAreFollowedToFortySteps) {
  std::string chain = symlink(packages + cuda_library, "/1");
  for (int i = 1; i < 40; ++i) chain += symlink(fmt::format("{}", i), fmt::format("/{}", i + 1));
  const auto library = [&](int name) { return member(fmt::format("{}", name), files_of_torch[1].second); };
  const auto forty = image_of(chain + library(40));
  ASSERT_TRUE(forty) << forty.error().message;
  EXPECT_EQ(forty->libraries.size(), 1U);
  EXPECT_FALSE(image_of(chain + symlink("40", "41") + library(41)));
}

TEST(Links, ToNothingAreSaidAndNeverNone) {
  const auto nothing = image_of(symlink("usr/lib/python3.12/site-packages", "/data/packages"));
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::bad_input);
  EXPECT_EQ(nothing.error().message,
            "cannot tell whether the image contains torch: cannot read 'usr/lib/python3.12/site-packages': its link points to "
            "'data/packages', which is not in the image");
  const auto some = image_of(member(packages + "torch/version.py", files_of_torch[0].second) +
                             member(packages + "torch-2.9.1.dist-info/METADATA", files_of_torch[2].second) +
                             member(packages + "torch/lib/libtorch_cuda_linalg.so", files_of_torch[1].second) +
                             symlink(packages + cuda_library, "/proc/self/exe") + member("proc/self/exe/", "", {'5'}) +
                             symlink(packages + "torch/README", "/nowhere"));
  ASSERT_TRUE(some) << some.error().message;
  EXPECT_THAT(
      unreadable_in(*some),
      ElementsAre(packages + cuda_library + ": its link points to 'proc/self/exe', which is not a regular file in the image"));
  EXPECT_THAT(inspected_text(*some, {}),
              HasSubstr("CUDA version           12.8\n"
                        "get_arch_list()        unknown\n"
                        "GPU code (SASS)        unknown\n"
                        "PTX                    unknown\n"
                        "CUDA libraries needed  libcudart.so.12\n"
                        "not read               usr/lib/python3.12/site-packages/torch/lib/libtorch_cuda.so: its link points to "
                        "'proc/self/exe', which is not a regular file in the image\n\nlibrary                                    "
                        "                         GPU code  in some kernels  embedded  glibc\nusr/lib"));
  const auto json = inspected_json(*some);
  EXPECT_THAT(json, HasSubstr("\"compiled\": null,\n    \"anywhere\": null"));
  EXPECT_THAT(json, HasSubstr("\"targets\": null,\n  \"glibc\""));
  EXPECT_THAT(json,
              HasSubstr("\"unreadable\": [\n    {\n      \"path\": \"" + packages + cuda_library + "\",\n      \"why\": \"its"));
}

TEST(Links, ToNothingAmongWhatIsReadAnyway) {
  const auto metadata = member(packages + "torch-2.9.1.dist-info/METADATA", files_of_torch[2].second);
  const auto library = image_of(metadata + symlink(packages + cuda_library, "libtorch_cuda.so.1"));
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_THAT(unreadable_in(*library), ElementsAre(packages + cuda_library + ": its link points to '" + packages + cuda_library +
                                                   ".1', which is not a regular file in the image"));
  EXPECT_FALSE(library->code_known());
  const auto folder = image_of(symlink("opt/site-packages", "/usr/lib/site-packages"));
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, ErrorCode::bad_input);
  const auto deep =
      image_of(symlink("usr/lib/python3.12/site-packages", "/opt/real") + symlink("opt/real/" + cuda_library, "x.so") +
               member("opt/real/torch-2.9.1.dist-info/METADATA", files_of_torch[2].second));
  ASSERT_TRUE(deep) << deep.error().message;
  EXPECT_THAT(unreadable_in(*deep),
              ElementsAre(packages + cuda_library +
                          ": its link points to 'opt/real/torch/lib/x.so', which is not a regular file in the image"));
}

TEST(Links, OfLibrariesOfCudaToNothingHideNoCodeOfTorch) {
  const auto inspected = image_of(torch_in(packages) + symlink(packages + "nvidia/cudnn/lib/libcudnn.so.9", "/nowhere"));
  ASSERT_TRUE(inspected) << inspected.error().message;
  EXPECT_THAT(inspected_text(*inspected, {}), HasSubstr("GPU code (SASS)        sm_80\n"));
  EXPECT_EQ(inspected->unreadable.size(), 1U);
}

TEST(Links, ToNothingAreNotAllListed) {
  std::string files = torch_in(packages);
  for (int i = 0; i < 7; ++i) files += symlink(fmt::format("{}nvidia/x/lib/lib{}.so", packages, i), "/nowhere");
  const auto text = inspected_text(image_of(files).value(), {});
  EXPECT_THAT(text, HasSubstr("lib4.so: its link points to 'nowhere', which is not a regular file in the image\n"
                              "not read               2 more\n\nlibrary                                                      GPU "
                              "code  in some kernels  embedded  glibc\n"));
  EXPECT_THAT(text, Not(HasSubstr("lib5.so")));
}

TEST(Links, WithLineEndsInTheirNamesAreShownInOneLine) {
  const auto inspected = image_of(torch_in(packages) + symlink(packages + "nvidia/x/lib/lib\nx.so", "/no\nwhere"));
  ASSERT_TRUE(inspected) << inspected.error().message;
  EXPECT_THAT(
      inspected_text(*inspected, {}),
      HasSubstr(
          "\nnot read               " + packages +
          "nvidia/x/lib/lib\\x0ax.so: its link points to 'no\\x0awhere', which is not a regular file in the image\n\nlibrary     "
          "                                                 GPU code  in some kernels  embedded  glibc\n"));
}

TEST(Links, OfTwoEnvironmentsAreReadInBoth) {
  const auto inspected = image_of(torch_in("a/site-packages/") + torch_linked("b/site-packages/", "a/site-packages/", hard_link));
  ASSERT_TRUE(inspected) << inspected.error().message;
  ASSERT_EQ(inspected->libraries.size(), 2U);
  EXPECT_EQ(inspected->libraries[1].path, "b/site-packages/" + cuda_library);
  ASSERT_EQ(inspected->packages.size(), 2U);
  EXPECT_EQ(inspected->packages[0].folder, "a/site-packages/torch-2.9.1.dist-info");
  EXPECT_EQ(inspected->packages[1].folder, "b/site-packages/torch-2.9.1.dist-info");
  ASSERT_TRUE(inspected->torch) << "both are one build";
  EXPECT_EQ(inspected->torch->compiled.to_string(), "sm_80");
  EXPECT_THAT(inspected->contradictions, IsEmpty());
}

TEST(Links, ThatLeadToEachOtherWithoutEndAreRefused) {
  std::string files = symlink("usr/lib/site-packages", "/a/0") + symlink("a/0/torch", "/a/1");
  // Each folder has two ways into the next one, so that there are 2^20 ways to the last.
  for (int i = 1; i < 21; ++i) {
    for (const auto* way : {"x", "y"}) files += symlink(fmt::format("a/{}/{}", i, way), fmt::format("/a/{}", i + 1));
  }
  const auto inspected = image_of(files);
  ASSERT_FALSE(inspected);
  EXPECT_EQ(inspected.error().message, "its links are nested too deeply");
  EXPECT_EQ(inspected.error().origin, "mine:1");
}

TEST(Links, AreNotFollowedWhereTheArchiveIsDamaged) {
  ImageInspection inspection("mine:1");
  inspection.feed(bytes_of(symlink(packages + "torch", "/x")));
  const auto again = inspection.wants_again();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().message, "its file archive is truncated at byte 512");
  EXPECT_EQ(again.error().origin, "mine:1");
}

}  // namespace
}  // namespace envgen::inspect
