#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "matrix/matrix.hpp"
#include "resolver/resolver.hpp"

/// Answers of the shipped matrix, for requests in the words of support/request_text.hpp.
namespace envgen::test {

struct Answered {
  Request request;
  resolver::Query query;
  resolver::Resolution answer;
};

/// A request that cannot be read is a mistake of the test: it throws.
Answered ask(std::string_view request);

/// The environment of a request that has one; none otherwise.
std::optional<Environment> environment_of(std::string_view request);

/// The environment of a request that must have one: it throws what the answer is where it has none.
Environment must(std::string_view request);

/// `torch 2.3.1+cu121 python 3.10 ubuntu22.04 slim`, `conflict: torch, gpu`, or `unknown`.
std::string summary(std::string_view request);

/// A request that cannot be read: the message of its error.
std::string usage_error(std::string_view request);

}  // namespace envgen::test
