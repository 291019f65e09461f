# cmake -DOUTPUT=FILE -P EmbedPtx.cmake PTX...: writes a header that holds the kernels as texts.
set(entries "")
set(count 0)
math(EXPR last "${CMAKE_ARGC} - 1")
set(reading OFF)
foreach(index RANGE ${last})
  set(argument "${CMAKE_ARGV${index}}")
  if(reading)
    file(READ "${argument}" text)
    string(APPEND entries "    R\"~envgen~(${text})~envgen~\",\n")
    math(EXPR count "${count} + 1")
  elseif(argument MATCHES "EmbedPtx.cmake$")
    set(reading ON)
  endif()
endforeach()
file(WRITE "${OUTPUT}" "#pragma once
// Made by bench/EmbedPtx.cmake from bench/kernels/ptx/.
#include <array>

namespace envgen::bench {

inline constexpr std::array<const char*, ${count}> embedded_ptx{
${entries}};

}  // namespace envgen::bench
")
