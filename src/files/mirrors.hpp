#pragma once

#include <string>
#include <vector>

#include "files/options.hpp"

/// Where packages come from in place of their own hosts.
namespace envgen::files {

/// The expressions of sed that put the mirror into apt's lists of sources, quoted for a shell; empty: no mirror is asked for, or
/// it has nothing for this system. What a user names stands in place of the archive and of its security updates; a mirror that
/// is known by name leaves Ubuntu's security updates at their own host, as mirrors ask (they may lag behind it).
/// Errors (usage): an https mirror for a plain image, which trusts no certificate before its first package is there.
Expected<std::vector<std::string>> apt_mirror_rules(const Inputs& inputs);

/// True where a mirror that is known by name stands for the archive alone.
bool keeps_security_updates(const Inputs& inputs);

/// What the environment needs and the known mirror lacks, in words: it comes from its own host.
std::vector<std::string> not_on_the_mirror(const Inputs& inputs);

/// A channel by its name, or as the address that it has on the mirror.
std::string conda_channel(const Options& options, const std::string& channel);
std::vector<std::string> conda_channels(const Options& options, const std::vector<std::string>& channels);

/// A wheel index of https://download.pytorch.org/whl, or what the mirror has in its place.
std::string torch_index(const Options& options, const std::string& url);

}  // namespace envgen::files
