#pragma once

#include "resolver/query.hpp"

namespace envgen::resolver {

/// WSL 2 has the driver of Windows, whose releases have numbers of their own, so a release is compared by its branch. Of which
/// boards a release of Windows supports only this much is known: an architecture begins with its branch.

/// True of a driver from before R495, with which NVIDIA's support of CUDA in WSL 2 begins; some had it as previews.
/// https://docs.nvidia.com/cuda/wsl-user-guide/index.html (2.1), https://github.com/microsoft/WSL/issues/6014 (R460 without it)
bool is_before_wsl(const AskedMachine& machine);

/// True where neither the architecture's first branch nor Linux's lists of boards settle whether the asked driver supports the
/// board: Linux added it to a later branch, or to this one after its first release, and a release of Windows was named.
bool leaves_board_open(const AskedMachine& machine, const Board& board);

/// The first driver that WSL 2 surely works with, by the number that the branch has on Linux.
inline constexpr DriverVersion first_for_wsl{Version(495, 29, 5)};

}  // namespace envgen::resolver
