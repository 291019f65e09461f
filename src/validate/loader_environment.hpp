#pragma once

#include <map>
#include <string>
#include <vector>

namespace envgen::validate {

/// What the dynamic linker obeys, of an environment: it puts code of the image into every program that starts there.
using LoaderEnvironment = std::map<std::string, std::string>;
LoaderEnvironment loader_environment(const std::map<std::string, std::string>& environment);
/// ... of this process.
LoaderEnvironment loader_environment_here();
/// The value of LD_LIBRARY_PATH; empty: there is none.
std::string library_path_of(const LoaderEnvironment& environment);

/// `NAME=` for each of these variables, by which a program starts without it. An empty value means none to the dynamic linker,
/// and unlike a name that is taken away, docker and podman know it alike. `keep_library_path`: LD_LIBRARY_PATH is left as it is.
std::vector<std::string> without_loader_environment(bool keep_library_path);

}  // namespace envgen::validate
