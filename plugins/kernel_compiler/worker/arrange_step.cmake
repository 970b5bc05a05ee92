# One step of arrange.cmake, at build time. What fails here costs speed and never the build: the program stays as it is.
#
#   -DSTEP=count    BOLT, PROGRAM, PROFILE, KERNELS: writes PROFILE, an empty one where counting failed
#   -DSTEP=arrange  BOLT, PROGRAM, PROFILE: rewrites PROGRAM
function(try log)
  execute_process(COMMAND ${ARGN} OUTPUT_FILE ${log} ERROR_FILE ${log} RESULT_VARIABLE failed)
  if(failed)
    message(WARNING "The compiler's code is not arranged: see ${log}")
  endif()
  set(failed "${failed}" PARENT_SCOPE)
endfunction()

if(STEP STREQUAL "count")
  set(counting ${PROFILE}.counting)
  try(${PROFILE}.log ${BOLT} ${PROGRAM} -instrument -o ${counting} --instrumentation-file=${PROFILE}.new)
  if(NOT failed)
    try(${PROFILE}.times ${counting} -n 1 ${KERNELS})
  endif()
  if(NOT failed AND EXISTS ${PROFILE}.new)
    file(RENAME ${PROFILE}.new ${PROFILE})
  else()
    file(WRITE ${PROFILE} "")
  endif()
  file(REMOVE ${counting})
else()
  file(SIZE ${PROFILE} size)
  if(size GREATER 0)
    try(${PROFILE}.arranged.log ${BOLT} ${PROGRAM} -o ${PROGRAM}.arranged --data=${PROFILE}
        -reorder-blocks=ext-tsp -reorder-functions=cdsort -split-functions -split-all-cold -split-eh -icf)
    if(NOT failed)
      file(RENAME ${PROGRAM}.arranged ${PROGRAM})
    endif()
  endif()
endif()
