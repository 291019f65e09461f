#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.hpp"

namespace envgen {

enum class Framework : std::uint8_t { torch, tensorflow };
enum class Platform : std::uint8_t { linux_x86_64, linux_aarch64 };
/// devel has nvcc and headers, runtime has not.
enum class Variant : std::uint8_t { runtime, devel };
enum class Installer : std::uint8_t { pip, uv, conda };
/// What an image starts from: a plain OS image, nvidia/cuda, or a framework's official image.
enum class Base : std::uint8_t { slim, cuda, pytorch, tensorflow };
/// What starts the container. `docker` gives it GPUs by NVIDIA's hook, which checks what the image asks of the driver
/// (NVIDIA_REQUIRE_CUDA); `docker_cdi` and podman name them by CDI, where nothing checks it; with `none` there is no container:
/// the environment is installed on the machine, whose nvcc compiles what is to be compiled.
/// https://github.com/NVIDIA/nvidia-container-toolkit/issues/1470
enum class Engine : std::uint8_t { docker, docker_cdi, podman, none };
/// What "best" means when several environments fit.
enum class Prefer : std::uint8_t { stable, newest, smallest, widest };
/// Where the interpreter comes from; `other`: none of these has it, so the user brings it.
enum class PythonProvider : std::uint8_t { system, uv, conda, image, other };
/// Where an environment has its cuDNN from; `system` has to have it where a wheel without one meets a plain image.
enum class CudnnFrom : std::uint8_t { wheel, image, conda, system };
/// What lets a driver run a build: it knows the board, it reports the CUDA, minor-version compatibility, cuda-compat, or the
/// exceptions of the image's gate.
enum class CarriedBy : std::uint8_t { gpu_driver, native, minor_compat, forward_compat, image_gate };
/// What becomes of cuda-compat on a machine: harmless where it works as well, or the driver is newer and stays in use; unproven
/// where it would be used and no fact says that it works.
enum class Compat : std::uint8_t { needed, harmless, unproven };
/// What a board runs of a build: machine code, or what the driver compiles.
enum class CodeKind : std::uint8_t { sass, ptx };

/// The names of an enumeration's values, in the order of the values.
template <class E>
struct Names;
template <>
struct Names<Framework> {
  static constexpr std::array<std::string_view, 2> names{"torch", "tensorflow"};
};
template <>
struct Names<Platform> {
  static constexpr std::array<std::string_view, 2> names{"linux-x86_64", "linux-aarch64"};
};
template <>
struct Names<Variant> {
  static constexpr std::array<std::string_view, 2> names{"runtime", "devel"};
};
template <>
struct Names<Installer> {
  static constexpr std::array<std::string_view, 3> names{"pip", "uv", "conda"};
};
template <>
struct Names<Base> {
  static constexpr std::array<std::string_view, 4> names{"slim", "cuda", "pytorch", "tensorflow"};
};
template <>
struct Names<Engine> {
  static constexpr std::array<std::string_view, 4> names{"docker", "docker-cdi", "podman", "none"};
};
template <>
struct Names<Prefer> {
  static constexpr std::array<std::string_view, 4> names{"stable", "newest", "smallest", "widest"};
};
template <>
struct Names<PythonProvider> {
  static constexpr std::array<std::string_view, 5> names{"system", "uv", "conda", "image", "other"};
};
template <>
struct Names<CudnnFrom> {
  static constexpr std::array<std::string_view, 4> names{"wheel", "image", "conda", "system"};
};
template <>
struct Names<CarriedBy> {
  static constexpr std::array<std::string_view, 5> names{"gpu_driver", "native", "minor_compat", "forward_compat", "image_gate"};
};
template <>
struct Names<Compat> {
  static constexpr std::array<std::string_view, 3> names{"needed", "harmless", "unproven"};
};
template <>
struct Names<CodeKind> {
  static constexpr std::array<std::string_view, 2> names{"sass", "ptx"};
};

template <class E>
constexpr std::string_view name_of(E value) {
  return Names<E>::names[static_cast<std::size_t>(value)];
}
template <class E>
std::vector<std::string_view> names_of(const std::vector<E>& values) {
  std::vector<std::string_view> names;
  for (const auto value : values) names.push_back(name_of(value));
  return names;
}

/// The index of `text` in `names`; the error lists them and, for a slip of the keyboard, the one that was meant.
Expected<std::size_t> parse_choice(std::string_view text, std::span<const std::string_view> names);

template <class E>
Expected<E> parse_choice(std::string_view text) {
  auto index = parse_choice(text, std::span<const std::string_view>(Names<E>::names));
  if (!index) return tl::unexpected(index.error());
  return static_cast<E>(*index);
}

}  // namespace envgen
