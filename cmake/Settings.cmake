# The language, the warnings and the sanitizers that every target of this project shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

option(ENVGEN_WERROR "Treat warnings as errors (developers and CI; not for users)" OFF)
option(ENVGEN_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

# ccache makes the second build of a checkout a matter of seconds; its absence costs nothing.
find_program(ENVGEN_CCACHE ccache)
if(ENVGEN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ENVGEN_CCACHE})
endif()

add_library(envgen_settings INTERFACE)
target_include_directories(envgen_settings INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(envgen_settings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(ENVGEN_WERROR)
  target_compile_options(envgen_settings INTERFACE -Werror)
endif()
if(ENVGEN_SANITIZE)
  target_compile_options(envgen_settings INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(envgen_settings INTERFACE -fsanitize=address,undefined)
endif()

# One room of the house: a static library of the .cpp files in its folder.
function(envgen_room name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(envgen_${name} STATIC ${sources})
  target_link_libraries(envgen_${name} PUBLIC envgen_settings ${ARGN})
endfunction()
