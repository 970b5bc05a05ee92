# LLVM's packages come with their functions in the order of its sources: code that compiles a kernel is spread over 50 MB,
# and a third of the time goes into fetching it. BOLT (of the same release) moves the parts that run, 5 MB, side by side:
# compiles take a sixth less time. What runs is counted once in a build folder, by compiling the test kernels; remove
# arrange/profile.fdata to count again.
#
# zeroth_arrange(PROGRAM): PROGRAM is rewritten after each link. Does nothing where it is off or BOLT is missing.
option(ZEROTH_ARRANGE_COMPILER "Arrange the compiler's code by what runs (1 to 2 minutes of building)" OFF)
find_program(ZEROTH_BOLT NAMES llvm-bolt PATHS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH)
set(arranges OFF)
if(ZEROTH_ARRANGE_COMPILER AND ZEROTH_BOLT AND NOT ZEROTH_SANITIZE)
  set(arranges ON)
endif()
message(STATUS "The compiler's code is arranged by what runs: ${arranges}")

set(step ${CMAKE_CURRENT_LIST_DIR}/arrange_step.cmake)
set(profile ${CMAKE_CURRENT_BINARY_DIR}/arrange/profile.fdata)
if(arranges)
  add_executable(zeroth-arrange-counts measure_compile.cpp)
  target_link_libraries(zeroth-arrange-counts PRIVATE zeroth_kernel_compiler_worker zeroth::lld zeroth::llvm)
  target_link_options(zeroth-arrange-counts PRIVATE -Wl,--emit-relocs)
  set_target_properties(zeroth-arrange-counts PROPERTIES EXCLUDE_FROM_ALL ON RUNTIME_OUTPUT_DIRECTORY
                                                         ${CMAKE_CURRENT_BINARY_DIR}/arrange)
  # What is counted is LLVM, which stays when our code changes: the program comes first, but a newer one counts nothing anew.
  add_custom_command(
    OUTPUT ${profile}
    COMMAND ${CMAKE_COMMAND} -DSTEP=count -DBOLT=${ZEROTH_BOLT} -DPROGRAM=$<TARGET_FILE:zeroth-arrange-counts>
            -DPROFILE=${profile} "-DKERNELS=$<TARGET_PROPERTY:zeroth_test_kernels,ZEROTH_KERNEL_FILES>" -P ${step}
    COMMENT "Counting what runs in the compiler"
    JOB_POOL link VERBATIM)
  add_custom_target(zeroth_compiler_profile DEPENDS ${profile})
  add_dependencies(zeroth_compiler_profile zeroth-arrange-counts zeroth_test_kernels)
endif()

function(zeroth_arrange program)
  if(NOT arranges)
    return()
  endif()
  add_dependencies(${program} zeroth_compiler_profile)
  target_link_options(${program} PRIVATE -Wl,--emit-relocs)
  add_custom_command(
    TARGET ${program} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DSTEP=arrange -DBOLT=${ZEROTH_BOLT} -DPROGRAM=$<TARGET_FILE:${program}> -DPROFILE=${profile}
            -P ${step}
    COMMENT "Arranging ${program}" VERBATIM)
endfunction()
