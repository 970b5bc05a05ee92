# zeroth_kernels(NAME SOURCES a.cl... [OUTPUT_DIRECTORY dir] [OPTIONS flag...])
# OpenCL C to SPIR-V at build time, by clang's own SPIR-V target. Target NAME builds <dir>/<stem>.spv for each source
# (default dir: build/<preset>/kernels); its property ZEROTH_KERNEL_FILES lists them. Sources without a folder are
# looked up in tests/kernels too.
include_guard(GLOBAL)

find_program(ZEROTH_CLANG NAMES clang-22 clang-21 clang-20 clang-19 DOC "clang >= 19, compiles OpenCL C to SPIR-V")
set(ZEROTH_KERNELS_DIRECTORY ${CMAKE_BINARY_DIR}/kernels)

function(zeroth_kernels name)
  cmake_parse_arguments(KERNEL "" "OUTPUT_DIRECTORY" "SOURCES;OPTIONS" ${ARGN})
  if(NOT ZEROTH_CLANG)
    message(FATAL_ERROR "No clang >= 19 found, needed to compile kernels; tools/deps.sh --dev installs one")
  endif()
  if(NOT KERNEL_OUTPUT_DIRECTORY)
    set(KERNEL_OUTPUT_DIRECTORY ${ZEROTH_KERNELS_DIRECTORY})
  endif()
  file(MAKE_DIRECTORY ${KERNEL_OUTPUT_DIRECTORY})
  set(outputs)
  foreach(source ${KERNEL_SOURCES})
    get_filename_component(path ${source} ABSOLUTE)
    if(NOT EXISTS ${path})
      set(path ${PROJECT_SOURCE_DIR}/tests/kernels/${source})
    endif()
    get_filename_component(stem ${source} NAME_WE)
    set(output ${KERNEL_OUTPUT_DIRECTORY}/${stem}.spv)
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${ZEROTH_CLANG} --target=spirv64 -x cl -cl-std=CL3.0 -O2 ${KERNEL_OPTIONS} -c ${path} -o ${output}
      DEPENDS ${path}
      COMMENT "SPIR-V ${stem}.spv"
      VERBATIM)
    list(APPEND outputs ${output})
  endforeach()
  add_custom_target(${name} ALL DEPENDS ${outputs})
  set_target_properties(${name} PROPERTIES ZEROTH_KERNEL_FILES "${outputs}")
endfunction()
