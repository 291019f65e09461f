#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace envgen::matrix {

/// A GPU without how many of it there are, which changes nothing of an environment: `4xA100`, `4x A100`, `A100:4`, `A100 x4` ->
/// `A100`.
std::string_view without_count(std::string_view text);

/// The same where only the name tells that it is a count, of at most two digits: `4090x2`, `H200*4`, `4 H200`, and so `24 x` of
/// what is none.
std::string_view without_loose_count(std::string_view text);

/// Lower case, without spaces, hyphens, underscores, slashes and parentheses, without "nvidia" and "gpu", and without the slice
/// of a Multi-Instance GPU ("MIG 1g.5gb", "1g.5gb", or "MIG" alone); "mobile" and "max-q" read as "laptop" where they end the
/// name. `Tesla V100-SXM2-32GB` -> `teslav100sxm232gb`.
std::string light_key(std::string_view name);

/// What a profile of MIG says: `1g.10gb`, `1c.3g.20gb` (a part of one), `1g.10gb+me` and `1g.24gb-me` (with or without an extra).
struct MigProfile {
  int slices = 0;
  int gigabytes = 0;

  /// As gpus.json has it: without the part of it and the extra, which change nothing of an environment.
  std::string name() const;
};
/// None: the text, in small letters, is none.
std::optional<MigProfile> mig_profile(std::string_view text);

/// The slice of a Multi-Instance GPU that a name ends in, as CUDA appends it to the board's: `1g.5gb` of `NVIDIA A100-SXM4-40GB
/// MIG 1g.5gb`, of `A100 1g.5gb` and of `A100:1g.5gb`, empty of `A100 MIG`. None: it is the name of a whole board.
std::optional<std::string> slice_of(std::string_view name);

/// A vGPU by the name that a virtual machine sees: the board A10 and 24 GB of `NVIDIA A10-24Q`, T4 and 8 of `GRID T4-8C`, A100
/// and 20 of `A100-4-20C`, which has four slices of it. Only the Q and C series have CUDA, the A and B series have none (NVIDIA's
/// Virtual GPU Software User Guide). None: it is not the name of a vGPU.
struct Vgpu {
  std::string_view board;
  int gigabytes = 0;
  bool has_cuda = false;
};
std::optional<Vgpu> vgpu_of(std::string_view name);

/// The light key without the words that people leave out: geforce, tesla, quadro. -> `v100sxm232gb`.
std::string full_key(std::string_view name);

/// The key of a PCI id as lspci, /sys or a person writes it: `10de:2684`, `0x10DE:0x2684`, `2684`. Empty: it is none.
std::string pci_key(std::string_view name);

/// Splits a trailing memory size off a name: `RTX 3090(24GB)` -> `RTX 3090`, 24. No size: the name as it is, 0.
struct NameAndMemory {
  std::string_view name;
  int gigabytes = 0;
};
NameAndMemory split_memory(std::string_view name);

}  // namespace envgen::matrix
