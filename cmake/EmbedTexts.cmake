# cmake -DOUTPUT=FILE -DARRAY=NAME -P EmbedTexts.cmake FILE...: writes a header that holds the files as texts, in an array of that name.
include(${CMAKE_CURRENT_LIST_DIR}/ScriptArguments.cmake)
script_arguments(files)
list(LENGTH files count)
set(entries "")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" text)
  string(APPEND entries "    EmbeddedText{\"${name}\", R\"~envgen~(${text})~envgen~\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#pragma once
// Made by cmake/EmbedTexts.cmake.
#include <array>

#include \"util/embedded_text.hpp\"

namespace envgen::util {

inline constexpr std::array<EmbeddedText, ${count}> ${ARRAY}{
${entries}};

}  // namespace envgen::util
")
