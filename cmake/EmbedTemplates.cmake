# cmake -DOUTPUT=FILE -P EmbedTemplates.cmake TEMPLATE...: writes a header that holds the templates as texts.
set(entries "")
set(count 0)
math(EXPR last "${CMAKE_ARGC} - 1")
set(reading OFF)
foreach(index RANGE ${last})
  set(argument "${CMAKE_ARGV${index}}")
  if(reading)
    get_filename_component(name "${argument}" NAME)
    file(READ "${argument}" text)
    string(APPEND entries "    EmbeddedTemplate{\"${name}\", R\"~envgen~(${text})~envgen~\"},\n")
    math(EXPR count "${count} + 1")
  elseif(argument MATCHES "EmbedTemplates.cmake$")
    set(reading ON)
  endif()
endforeach()
file(WRITE "${OUTPUT}" "#pragma once
// Made by cmake/EmbedTemplates.cmake from templates/.
#include <array>
#include <string_view>

namespace envgen::util {

struct EmbeddedTemplate {
  std::string_view name;
  std::string_view text;
};
inline constexpr std::array<EmbeddedTemplate, ${count}> embedded_templates{
${entries}};

}  // namespace envgen::util
")
