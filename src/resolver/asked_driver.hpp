#pragma once

#include <string_view>
#include <vector>

#include "resolver/query.hpp"

namespace envgen::resolver {

/// Reads `535`, `R535`, `nvidia-driver-535`, `525.60`, `535.183.01` or a range. Errors name the text.
Expected<AskedDriver> parse_driver(const matrix::Matrix& matrix, std::string_view text);
/// The same of a driver of Windows. Its releases have numbers of their own (572.16), so what it is known by is its branch: the
/// newest that does not lie above the number. A range is an error.
Expected<AskedDriver> parse_windows_driver(const matrix::Matrix& matrix, std::string_view text);

/// A number between those of the branches since 525, which only Windows gives to a driver.
bool is_number_of_windows(const matrix::Matrix& matrix, std::uint16_t number);

/// The number of a Windows driver, most likely: since branch 525 Linux drivers have three parts, and Windows drivers two and,
/// mostly, a number between those of the branches.
bool looks_like_windows(const matrix::Matrix& matrix, Version number);

/// The number of a Linux driver: Windows drivers have two parts.
constexpr bool looks_like_linux(Version number) { return number.count() > 2; }

/// The last branch that begins at a number or before it, such as that of a Windows driver; null: it is older than all.
const matrix::DriverBranch* last_branch_until(const matrix::Matrix& matrix, std::uint16_t number);

/// The newest release of a branch that any fact names, be it of a toolkit or of a board; none: no fact names one.
DriverVersion latest_known(const matrix::Matrix& matrix, std::uint16_t branch);

/// True of what stands for the releases right after a bound, and is none by itself.
constexpr bool stands_after(DriverVersion driver) { return driver.version().count() == Version::max_parts; }

/// Puts each machine under those of its asked drivers that know its boards, and finds what falls whatever the build is.
void drive_machines(Query& query);

/// The same boards under a driver that nobody asked for.
AskedMachine with_free_driver(AskedMachine machine);
/// The same driver in a machine of which nothing else is known.
AskedMachine without_boards(const AskedMachine& machine);
/// The machine under the later releases that its number may mean; without any, its driver would be free.
AskedMachine under_later(AskedMachine machine);

}  // namespace envgen::resolver
