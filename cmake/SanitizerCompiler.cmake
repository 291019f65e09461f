# Clang compiles and links what is sanitized in half of GCC's time, and is a second opinion on every warning. It is taken where its
# runtime is installed and nobody named a compiler; GCC compiles the releases. Before project(), which settles the compiler.
if(ENVGEN_SANITIZE AND NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX})
  find_program(ENVGEN_CLANG clang-14)
  find_program(ENVGEN_CLANGXX clang++-14)
  if(ENVGEN_CLANG AND ENVGEN_CLANGXX)
    execute_process(COMMAND ${ENVGEN_CLANGXX} --print-runtime-dir OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE)
    file(GLOB runtime ${folder}/libclang_rt.asan-*)
    if(runtime)
      set(CMAKE_C_COMPILER ${ENVGEN_CLANG})
      set(CMAKE_CXX_COMPILER ${ENVGEN_CLANGXX})
    endif()
  endif()
endif()
