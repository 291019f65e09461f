#include "matrix/tables.hpp"

namespace envgen::matrix::tables {

std::span<const Table* const> all() {
  static constexpr const Table* list[] = {&torch_releases,
                                          &wheel_builds,
                                          &torchvision,
                                          &torchaudio,
                                          &conda_builds,
                                          &conda_labels,
                                          &offered_cudnns,
                                          &toolkits,
                                          &cuda_minors,
                                          &cuda_majors,
                                          &cudnn_releases,
                                          &driver_branches,
                                          &gpu_drivers,
                                          &forward_compat,
                                          &gpus,
                                          &families,
                                          &ambiguous,
                                          &cuda_images,
                                          &gates,
                                          &pytorch_images,
                                          &tensorflow_releases,
                                          &systems,
                                          &pythons,
                                          &rules,
                                          &presets,
                                          &mirrors,
                                          &extensions,
                                          &package_needs,
                                          &package_requirements,
                                          &tools};
  return list;
}

}  // namespace envgen::matrix::tables
