#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "matrix/matrix.hpp"
#include "model/request.hpp"

namespace envgen::check {

/// A board of the request, with every row that its name may mean.
struct AskedBoard {
  std::string_view text;
  std::vector<const matrix::Gpu*> rows;  ///< empty: only the capability was given
  Capability capability;
  bool arm_only = false;                       ///< no PC has it: it sits beside an Arm CPU
  const matrix::GpuDriver* drivers = nullptr;  ///< that know it; null: no fact says which
  std::set<matrix::GpuClass> classes = {};     ///< of the rows, or of all boards of the capability
  bool mig = false;                            ///< a slice of it
};

/// Boards under one driver; a bare `--gpu` is a machine of its own, and so is a bare `--driver` without any machine.
struct AskedMachine {
  std::string driver;               ///< as written; empty: free
  std::vector<std::size_t> boards;  ///< indexes into Asked::boards
};

/// A request by its texts; empty means not asked.
struct Asked {
  std::array<std::string_view, field_names.size()> texts;  ///< by field, of those that stand at most once
  std::string tag;                                         ///< of `2.3.1+cu121`, lower case
  std::string os;                                          ///< its id; as written, where it is none
  std::vector<std::string> cuda;                           ///< lower case
  bool cpu = false;
  bool ptx = false;
  bool wsl = false;
  bool inferred_tags = false;
  bool image_runs = true;  ///< the start image gets GPUs
  Framework framework = Framework::torch;
  std::vector<AskedBoard> boards;
  std::vector<AskedMachine> machines;

  bool without_container() const { return (*this)[Field::engine] == name_of(Engine::none); }
  std::string_view& operator[](Field field) { return texts.at(static_cast<std::size_t>(field)); }
  std::string_view operator[](Field field) const { return texts.at(static_cast<std::size_t>(field)); }
};

/// Reads a request; what cannot be read is told in `violations`.
Asked read(const matrix::Matrix& matrix, const Request& request, std::vector<std::string>& violations);

}  // namespace envgen::check
