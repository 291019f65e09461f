#include "util/sha256.hpp"

#include <array>

#include <fmt/format.h>
#include <sha2.h>

namespace envgen::util {

namespace {

std::string hex_of(SHA2_CTX& context) {
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256Final(digest.data(), &context);
  std::string text;
  for (const auto byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace

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

std::string Sha256::hex() { return hex_of(state_->context); }

std::string sha256_of(std::string_view bytes) {
  SHA2_CTX context{};
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return hex_of(context);
}

}  // namespace envgen::util
