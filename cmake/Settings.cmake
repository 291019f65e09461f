# The language, the warnings and the sanitizers that every target of this project shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# -O2 measures as fast as -O3 here and compiles faster.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

option(ENVGEN_WERROR "Treat warnings as errors (developers and CI; not for users)" OFF)
option(ENVGEN_UNITY "Compile the files of a room as one: half the time from nothing, more after a change" OFF)
set(ENVGEN_REVISION "" CACHE STRING "The commit that is built, for a source tree without git's data (default: git's, where nothing was changed)")
option(ENVGEN_SMALL "Optimise for size what is not hot (packages)" OFF)
if(ENVGEN_SMALL AND CMAKE_CXX_COMPILER_ID MATCHES Clang) # a tenth of the program: what the rooms instantiate alike, and what none of them calls
  add_compile_options(-flto)
  add_link_options(-flto)
endif()
option(ENVGEN_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

# ccache makes the second build of a checkout a matter of seconds; its absence costs nothing.
find_program(ENVGEN_CCACHE ccache)
if(ENVGEN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness lets ccache keep objects that use a precompiled header; no source here uses __TIME__.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ENVGEN_CCACHE})
endif()

add_library(envgen_settings INTERFACE)
target_include_directories(envgen_settings INTERFACE ${CMAKE_SOURCE_DIR}/src)
# Programs at fixed addresses have nothing to relocate when they start. A module that is loaded (a test double) must be movable.
target_compile_options(envgen_settings INTERFACE -ffunction-sections -fdata-sections)
if(NOT CMAKE_POSITION_INDEPENDENT_CODE)
  target_compile_options(envgen_settings INTERFACE $<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>>:-fno-pie>)
  target_link_options(envgen_settings INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()
target_compile_options(envgen_settings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
# GCC 12 warns of overlapping copies inside std::string where there are none (GCC bug 105651, fixed in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12 AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(envgen_settings INTERFACE -Wno-restrict)
endif()
if(ENVGEN_WERROR)
  target_compile_options(envgen_settings INTERFACE -Werror)
endif()
if(ENVGEN_SANITIZE)
  # GCC warns of its own instrumentation (std::regex: https://gcc.gnu.org/bugzilla/show_bug.cgi?id=105562).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(envgen_settings INTERFACE -Wno-maybe-uninitialized)
  endif()
  # These programs are large, and these link them in a third of the time. Clang's runtime makes gold warn.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(quick_linker gold)
  else()
    set(quick_linker lld)
  endif()
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=${quick_linker} ENVGEN_HAS_QUICK_LINKER)
  if(ENVGEN_HAS_QUICK_LINKER)
    target_link_options(envgen_settings INTERFACE -fuse-ld=${quick_linker})
  endif()
  target_compile_options(envgen_settings INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(envgen_settings INTERFACE -fsanitize=address,undefined)
endif()

# What the tests spend most of their time in: under the sanitizers a little optimisation is paid back at once.
function(envgen_computes)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<BOOL:${ENVGEN_SANITIZE}>:-O1>)
  endforeach()
endfunction()

# One room of the house: a static library of the .cpp files in its folder.
function(envgen_room name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(envgen_${name} STATIC ${sources})
  target_link_libraries(envgen_${name} PUBLIC envgen_settings ${ARGN})
endfunction()

# What ccache needs to look into precompiled headers.
function(envgen_ccache_precompiled target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  else()
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# Parses these headers once a room: they are most of what compiling a file costs.
# A room that is compiled as one file reads its headers once, for less than a precompiled one costs.
function(envgen_precompile name)
  if(ENVGEN_UNITY)
    return()
  endif()
  target_precompile_headers(envgen_${name} PRIVATE
    <algorithm> <map> <memory> <optional> <set> <string> <string_view> <vector> <fmt/format.h> <fmt/ranges.h> <tl/expected.hpp> ${ARGN})
  envgen_ccache_precompiled(envgen_${name})
endfunction()
