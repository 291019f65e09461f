# cmake -DOUTPUT=FILE -P EmbedPtx.cmake PTX...: writes a header that holds the kernels as texts.
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/ScriptArguments.cmake)
script_arguments(files)
list(LENGTH files count)
set(entries "")
foreach(file IN LISTS files)
  file(READ "${file}" text)
  string(APPEND entries "    R\"~envgen~(${text})~envgen~\",\n")
endforeach()
file(WRITE "${OUTPUT}" "#pragma once
// Made by bench/EmbedPtx.cmake from bench/kernels/ptx/.
#include <array>

namespace envgen::bench {

inline constexpr std::array<const char*, ${count}> embedded_ptx{
${entries}};

}  // namespace envgen::bench
")
