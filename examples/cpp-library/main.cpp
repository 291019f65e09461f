// install_line ENVGEN.JSON: prints the commands that install what the project asks for, or the proof that nothing can, and the names of its files.
#include <fstream>
#include <iostream>
#include <sstream>

#include <envgen/envgen.hpp>

namespace {

void print(const std::vector<std::string>& command) {
  const char* gap = "";
  for (const auto& word : command) {
    std::cout << gap << word;
    gap = " ";
  }
  std::cout << '\n';
}

int run(const std::string& project) {
  const auto answer = envgen::library::resolve(project);
  if (answer.kind != envgen::library::Answer::Kind::environment) {
    std::cout << answer.text;
    return 3;
  }
  for (const auto& command : answer.install) print(command);
  for (const auto& file : envgen::library::files(project, answer.lock))
    std::cout << file.path << ": " << file.text.size() << " bytes\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: install_line ENVGEN.JSON\n";
    return 2;
  }
  std::ostringstream project;
  project << std::ifstream(argv[1]).rdbuf();
  try {
    return run(project.str());
  } catch (const envgen::library::Failure& failure) {
    std::cerr << failure.what() << '\n';
    for (const auto& hint : failure.hints) std::cerr << "  " << hint << '\n';
    return 4;
  }
}
