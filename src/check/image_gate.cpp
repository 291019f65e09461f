#include "check/image_gate.hpp"

#include <algorithm>

namespace envgen::check {
namespace {

/// The brands under which the driver may know a board of a class. Data-centre boards lost the name Tesla on the way.
bool has_brand(const AskedBoard& board, std::string_view brand) {
  using matrix::GpuClass;
  const auto one = [&](const matrix::Gpu* row) {
    switch (row->gpu_class) {
      case GpuClass::datacenter:
        return brand == "tesla" || brand == "nvidia";
      case GpuClass::consumer:
        return brand == "geforce" || brand == "geforcertx" || brand == "titan" || brand == "titanrtx";
      case GpuClass::workstation:
        return brand == "quadro" || brand == "quadrortx" || brand == "nvidiartx" || brand == "nvidia";
      case GpuClass::jetson:
        return false;
    }
    return false;
  };
  return !board.rows.empty() && std::all_of(board.rows.begin(), board.rows.end(), one);
}

}  // namespace

Gate::Gate(const matrix::Matrix& matrix, std::string image, Version cuda, const matrix::Gate* row)
    : image_(std::move(image)), cuda_(row != nullptr ? row->cuda : cuda), row_(row), facts_(matrix, cuda_) {}

std::string Gate::prose() const { return fmt::format("the gate of {} (CUDA {})", image_, cuda_.to_string()); }

bool Gate::opens(DriverVersion driver, std::span<const AskedBoard* const> boards) const {
  if (facts_.native(driver)) return true;
  if (row_ == nullptr || boards.empty()) return false;
  return std::all_of(boards.begin(), boards.end(), [&](const AskedBoard* board) {
    return std::any_of(row_->exceptions.begin(), row_->exceptions.end(), [&](const matrix::GateException& exception) {
      return exception.branch == driver.branch() && has_brand(*board, exception.brand);
    });
  });
}

std::optional<Gate> gate_of(const Subject& subject) {
  const auto& environment = subject.environment;
  if (environment.base != Base::cuda) return std::nullopt;
  constexpr std::string_view repository = "nvidia/cuda:";
  const auto& image = subject.cuda_image();
  if (!image || !image->starts_with(repository)) return std::nullopt;  // check_images says so
  const auto tag = std::string_view(*image).substr(repository.size(), image->find('@') - repository.size());
  for (const auto& row : subject.matrix->cuda_images) {
    if (row.tag.view() != tag) continue;
    return Gate(subject.matrix, *image, row.cuda.at(2),
                row.gate < 0 ? nullptr : &subject.matrix->gates[static_cast<std::size_t>(row.gate)]);
  }
  return std::nullopt;
}

}  // namespace envgen::check
