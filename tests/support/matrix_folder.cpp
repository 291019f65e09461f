#include "support/matrix_folder.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace envgen::test {

MatrixFolder::MatrixFolder() {
  std::error_code ignored;
  const std::filesystem::path memory = "/dev/shm";
  const bool in_memory = std::filesystem::is_directory(memory, ignored) && ::access(memory.c_str(), W_OK) == 0;
  auto name = ((in_memory ? memory : std::filesystem::temp_directory_path()) / "envgen-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder can be made: " + name);
  path_ = name;
}

MatrixFolder::~MatrixFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void MatrixFolder::write(std::string_view file, std::string_view text) const {
  std::ofstream out(path_ / file, std::ios::binary | std::ios::trunc);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + (path_ / file).string());
}

matrix::Loaded MatrixFolder::load() const { return matrix::load({path_}); }

}  // namespace envgen::test
