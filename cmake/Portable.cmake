# A toolchain for programs that run wherever glibc is 2.17 or newer: clang and the C library's stubs of the package ziglang, and of this
# machine nothing: the tools lie in ENVGEN_PORTABLE_TOOLS, headers and archives in ENVGEN_PORTABLE_ROOT. scripts/portable.sh makes both.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${ENVGEN_PORTABLE_PROCESSOR})
set(CMAKE_LIBRARY_ARCHITECTURE ${ENVGEN_PORTABLE_PROCESSOR}-linux-gnu)
# CMake tries the compiler in projects of its own, which read this file again.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ENVGEN_PORTABLE_PROCESSOR ENVGEN_PORTABLE_TOOLS ENVGEN_PORTABLE_ROOT)

set(CMAKE_C_COMPILER ${ENVGEN_PORTABLE_TOOLS}/cc)
set(CMAKE_CXX_COMPILER ${ENVGEN_PORTABLE_TOOLS}/c++)
set(CMAKE_AR ${ENVGEN_PORTABLE_TOOLS}/ar)
set(CMAKE_RANLIB ${ENVGEN_PORTABLE_TOOLS}/ranlib)

set(root ${ENVGEN_PORTABLE_ROOT})
set(CMAKE_CXX_FLAGS_INIT "-isystem ${root}/usr/include -isystem ${root}/usr/include/${CMAKE_LIBRARY_ARCHITECTURE}")
set(CMAKE_EXE_LINKER_FLAGS_INIT -s)
set(CMAKE_FIND_ROOT_PATH ${root})
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
