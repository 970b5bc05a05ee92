# Settings that every target of the tree shares: language level, warnings, where outputs land, sanitizers, ccache.
include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/archive)
set(ZEROTH_PLUGIN_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/zeroth)
set(ZEROTH_INCLUDE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/include)
set(ZEROTH_GENERATED_DIRECTORY ${CMAKE_BINARY_DIR}/generated)

add_compile_options(-Wall -Wextra)

# On with the compilers that the tree is tested with; another one's new warnings must not stop a user's build.
set(tested_compiler OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15)
  set(tested_compiler ON)
endif()
option(ZEROTH_WERROR "Treat warnings as errors" ${tested_compiler})
if(ZEROTH_WERROR)
  add_compile_options(-Werror)
endif()

set(ZEROTH_SANITIZE "" CACHE STRING "Value of -fsanitize= for the whole tree; empty for none")
if(ZEROTH_SANITIZE)
  # A program may pass any number as an enumerator of the C interface, and compilers keep it without -fstrict-enums.
  add_compile_options(-fsanitize=${ZEROTH_SANITIZE} -fno-sanitize=enum -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ZEROTH_SANITIZE})
endif()

find_program(ZEROTH_CCACHE ccache)
if(ZEROTH_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${ZEROTH_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ZEROTH_CCACHE})
endif()

set_property(GLOBAL PROPERTY JOB_POOLS link=1)
set(CMAKE_JOB_POOL_LINK link)
