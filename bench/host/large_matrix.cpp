#include "large_matrix.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace envgen::bench {
namespace {

using Json = nlohmann::ordered_json;

Json build_row(int index) {
  // 100 CUDA tags would not be real, so the releases multiply instead: 2.x.y with y up to 60000.
  const auto version = fmt::format("{}.{}.{}", 3 + index / 600000, index / 10000 % 60, index % 10000);
  return {{"torch", version},
          {"tag", "cu128"},
          {"platform", "linux-x86_64"},
          {"cuda", "12.8"},
          {"toolkit", "12.8.1"},
          {"official", true},
          {"cudnn", "9.10.2.21"},
          {"nccl", "2.27.3"},
          {"triton", "3.4.0"},
          {"triton_pythons", {"3.12"}},
          {"sass", index % 100 == 0 ? Json{"8.0", "9.0", "12.0"} : Json{"8.0", "9.0"}},
          {"ptx", Json::array()},
          {"glibc", "2.28"},
          {"wheel_index", nullptr},
          {"package_index", {{"pythons", {"3.12"}}}},
          {"source", "made-up"}};
}

}  // namespace

std::unique_ptr<matrix::Block> large_matrix(int builds) {
  auto folder = (std::filesystem::temp_directory_path() / "envgen-large-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return nullptr;
  Json torch{{"sources", {{"made-up", {{"what", "made up for a measurement"}, {"url", nullptr}, {"read", "2026-11-21"}}}}},
             {"releases", Json::array()},
             {"builds", Json::array()},
             {"torchvision", Json::array()},
             {"torchaudio", Json::array()}};
  for (int i = 0; i < builds; ++i) {
    auto row = build_row(i);
    torch["releases"].push_back({{"version", row["torch"]},
                                 {"released", nullptr},
                                 {"tags_complete", true},
                                 {"default_cuda", {{"linux-x86_64", "12.8"}}},
                                 {"torchvision", nullptr},
                                 {"torchaudio", nullptr},
                                 {"source", "made-up"}});
    torch["builds"].push_back(std::move(row));
  }
  std::ofstream(folder + "/torch.json") << torch.dump();
  for (const auto& entry : std::filesystem::directory_iterator(ENVGEN_MATRIX_FOLDER)) {
    const auto name = entry.path().filename().string();
    if (entry.path().extension() == ".json" && name != "torch.json" && name != "conda.json")
      std::filesystem::copy_file(entry.path(), folder + "/" + name);
  }
  auto loaded = matrix::load({folder});
  for (const auto& problem : loaded.problems) fmt::print(stderr, "{}: {}\n", problem.origin, problem.message);
  std::filesystem::remove_all(folder);
  return std::move(loaded.block);
}

}  // namespace envgen::bench
