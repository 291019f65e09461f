#include "cli/commands.hpp"
#include "matrix/embedded/embedded.hpp"

int main(int argc, char** argv) {
  return envgen::cli::run({argv, static_cast<std::size_t>(argc)}, envgen::matrix::embedded_with_documents());
}
