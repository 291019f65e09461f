# cmake -DOUTPUT=FILE -DARRAY=NAME -P EmbedTexts.cmake FILE...: writes a header that holds the files as texts, in an array of that name.
set(entries "")
set(count 0)
math(EXPR last "${CMAKE_ARGC} - 1")
set(reading OFF)
foreach(index RANGE ${last})
  set(argument "${CMAKE_ARGV${index}}")
  if(reading)
    get_filename_component(name "${argument}" NAME)
    file(READ "${argument}" text)
    string(APPEND entries "    EmbeddedText{\"${name}\", R\"~envgen~(${text})~envgen~\"},\n")
    math(EXPR count "${count} + 1")
  elseif(argument MATCHES "EmbedTexts.cmake$")
    set(reading ON)
  endif()
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
