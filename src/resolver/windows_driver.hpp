#pragma once

#include "resolver/query.hpp"

namespace envgen::resolver {

/// The first driver that WSL 2 surely works with, by the number that the branch has on Linux; some before R495 had CUDA for it as
/// previews. https://docs.nvidia.com/cuda/wsl-user-guide/index.html (2.1), https://github.com/microsoft/WSL/issues/6014 (R460
/// without it)
inline constexpr DriverVersion first_for_wsl{Version(495, 29, 5)};

/// True of a driver from before that one.
bool is_before_wsl(const AskedMachine& machine);

/// WSL 2 has the driver of Windows, whose releases have numbers of their own, so a release is compared by its branch. Of which
/// boards a release of Windows supports only this much is known: an architecture begins with its branch. True where neither that
/// nor Linux's lists of boards settle it: Linux added the board to a later branch, or to this one after its first release, and a
/// release of Windows was named.
bool leaves_board_open(const AskedMachine& machine, const Board& board);

}  // namespace envgen::resolver
