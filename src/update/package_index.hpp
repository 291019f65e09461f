#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/metadata.hpp"
#include "update/simple_index.hpp"
#include "update/source.hpp"

namespace envgen::update {

/// The package index as one visit sees it.
class PackageIndex {
 public:
  explicit PackageIndex(Visit& visit) : visit_(visit) {}

  /// Asks for the wheels of these projects, all at once. Errors: those of pip_settings; (network) an index does not answer, or in
  /// another form.
  Expected<void> list(const std::vector<std::string_view>& projects);
  /// The wheels of one that was asked for, on all indexes; none where no index has it.
  const std::vector<IndexedWheel>& wheels(std::string_view project) const;
  /// Their METADATA, from beside them or out of their ends, in the same order. Errors (network): one cannot be read.
  Expected<std::vector<inspect::Metadata>> metadata(const std::vector<const IndexedWheel*>& wheels);

  Visit& visit() { return visit_; }
  std::vector<std::string>& notes() { return notes_; }

 private:
  Visit& visit_;
  std::map<std::string, std::vector<IndexedWheel>, std::less<>> wheels_;
  std::vector<std::string> notes_;
};

/// What the index says of torch and what belongs to it. Releases older than all that is known are passed over.
Expected<std::vector<Reading>> read_torch_packages(PackageIndex& index);
/// Of TensorFlow.
Expected<std::vector<Reading>> read_tensorflow_packages(PackageIndex& index);
/// Of cuDNN.
Expected<std::vector<Reading>> read_cudnn_packages(PackageIndex& index);
/// Of CUDA's toolkits: what nvcc compiles for, and which GCC it takes.
Expected<std::vector<Reading>> read_toolkit_packages(PackageIndex& index);

/// Pythons as rows have them, ascending.
Json python_list(const std::vector<const IndexedWheel*>& wheels);

}  // namespace envgen::update
