# cmake -DOUTPUT=FILE -DSOURCE=FOLDER -DGIVEN=REVISION -P Revision.cmake: writes a source file that holds the commit which is built, and touches
# it only when that changes. It holds none where FOLDER is no checkout of its own, or differs from its commit: then no commit says what is built.
set(revision "${GIVEN}")
if(NOT revision)
  function(git variable)
    execute_process(COMMAND git -C ${SOURCE} ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(failed)
      set(said "none")
    endif()
    set(${variable} "${said}" PARENT_SCOPE)
  endfunction()
  git(top rev-parse --show-toplevel)
  git(changed status --porcelain --untracked-files=no)
  git(commit rev-parse HEAD)
  file(REAL_PATH "${SOURCE}" source)
  if(top STREQUAL source AND changed STREQUAL "" AND NOT commit STREQUAL "none")
    set(revision "${commit}")
  endif()
endif()
if(NOT revision MATCHES "^[0-9a-f]*$")
  message(FATAL_ERROR "ENVGEN_REVISION: '${revision}' is not the hash of a commit")
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT [[
// Made by cmake/Revision.cmake.
#include "cli/revision.hpp"

namespace envgen::cli {

std::string_view revision() { return "@revision@"; }

}  // namespace envgen::cli
]] @ONLY)
