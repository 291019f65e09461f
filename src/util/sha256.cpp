#include "util/sha256.hpp"

#include <array>

#include <fmt/format.h>
#include <sha2.h>

namespace envgen::util {

struct Sha256::State {
  SHA2_CTX context{};
};

Sha256::Sha256() : state_(std::make_unique<State>()) { SHA256Init(&state_->context); }
Sha256::~Sha256() = default;

void Sha256::add(std::string_view text) {
  constexpr std::uint8_t separator = '\n';
  SHA256Update(&state_->context, reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  SHA256Update(&state_->context, &separator, 1);
}

std::string Sha256::hex() {
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256Final(digest.data(), &state_->context);
  std::string text;
  for (const auto byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace envgen::util
