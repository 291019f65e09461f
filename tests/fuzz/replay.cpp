// Runs a fuzz target over files that are kept, where there is no libFuzzer: each file that is named, or lies in a folder that is
// named. It ends at the first thing that does not hold; the last file that was printed is the one.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

extern "C" {
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int* count, char*** arguments);
}

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// In memory of its own size, so that AddressSanitizer sees what reads beyond it.
void replay(const std::string& text) {
  const auto data = std::make_unique<std::uint8_t[]>(text.size());
  std::copy(text.begin(), text.end(), data.get());
  LLVMFuzzerTestOneInput(data.get(), text.size());
}

bool replay_file(const fs::path& path) {
  std::fprintf(stderr, "%s\n", path.c_str());
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.is_open() || in.bad()) return false;
  replay(text);
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&count, &arguments);
    std::vector<fs::path> files;
    for (int i = 1; i < count; ++i) {
      const auto more = files_of(arguments[i]);
      files.insert(files.end(), more.begin(), more.end());
    }
    if (files.empty()) {
      std::fputs("usage: NAME_replay FILE|FOLDER...; a folder holds at least one file\n", stderr);
      return 2;
    }
    replay({});  // as libFuzzer does
    for (const auto& file : files) {
      if (!replay_file(file)) {
        std::fputs("this file cannot be read\n", stderr);
        return 1;
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "not caught: %s\n", error.what());
    return 1;
  }
  return 0;
}
