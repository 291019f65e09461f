# All of these come from the distribution's own packages (Debian 12, Ubuntu 22.04 and 24.04).
find_package(CLI11 2.1 REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
set(OPENSSL_USE_STATIC_LIBS TRUE)  # the dynamic one would cost 1 ms of every start
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
# A static libcrypto does not say what it leans on itself: in Debian 13 it compresses with these.
foreach(library zstd z)
  find_library(ENVGEN_LIBRARY_${library} NAMES lib${library}.a)
  mark_as_advanced(ENVGEN_LIBRARY_${library})
  if(ENVGEN_LIBRARY_${library})
    set_property(TARGET OpenSSL::Crypto APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${ENVGEN_LIBRARY_${library}})
  endif()
endforeach()
find_package(Threads REQUIRED)

# fmt as a static library: no start of envgen pays for a shared one, and no file compiles fmt's bodies again.
add_library(envgen_fmt STATIC ${CMAKE_SOURCE_DIR}/cmake/fmt_static.cpp)
target_include_directories(envgen_fmt SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
