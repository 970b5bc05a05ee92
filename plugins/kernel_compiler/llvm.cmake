# The one LLVM of this tree: found once, used by spirv/, codegen/, builtins/ and worker/ and by nothing else.
#   zeroth::llvm_headers   include paths and definitions (for libraries that are linked into the worker)
#   zeroth::llvm           the same plus the static libraries (for the worker and for test programs)
#   zeroth::lld            lld's ELF linker as a library
# ZEROTH_CLANG is the clang++ of the same release; it compiles the built-ins to bitcode.
#
# The newest of the supported releases that is installed, or the one that LLVM_DIR names (-DLLVM_DIR=/usr/lib/llvm-19/lib/cmake/llvm).
# What differs between them for the code is in llvm_versions.hpp.
set(zeroth_llvm_releases 22 21 20 19)
if(LLVM_DIR)
  find_package(LLVM CONFIG REQUIRED)
else()
  foreach(release IN LISTS zeroth_llvm_releases)
    find_package(LLVM ${release}.1 CONFIG QUIET HINTS /usr/lib/llvm-${release})
    if(LLVM_FOUND)
      break()
    endif()
  endforeach()
endif()
if(NOT LLVM_FOUND OR NOT LLVM_VERSION_MAJOR IN_LIST zeroth_llvm_releases)
  message(FATAL_ERROR "Needed: LLVM 19 to 22 (found: ${LLVM_VERSION}); tools/deps.sh --dev installs one")
endif()
message(STATUS "Kernels are compiled with LLVM ${LLVM_VERSION} (${LLVM_DIR})")

if(TARGET LLVMExtensions)
  set_target_properties(LLVMExtensions PROPERTIES INTERFACE_LINK_LIBRARIES LLVMSupport)
endif()

# Static compression libraries, and no theorem prover: the worker is one static program.
find_library(ZEROTH_STATIC_ZSTD libzstd.a REQUIRED)
find_library(ZEROTH_STATIC_Z libz.a REQUIRED)
set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES
                      "LLVMDemangle;${ZEROTH_STATIC_ZSTD};${ZEROTH_STATIC_Z};rt;dl;m;pthread")

add_library(zeroth_llvm_headers INTERFACE)
add_library(zeroth::llvm_headers ALIAS zeroth_llvm_headers)
target_include_directories(zeroth_llvm_headers SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(zeroth_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(zeroth_llvm_headers INTERFACE ${zeroth_llvm_definitions})
# LLVM is built without run-time type information: our classes that derive from its classes must be as well.
target_compile_options(zeroth_llvm_headers INTERFACE -fno-rtti)

# lld starts every back end that LLVM was built with; empty definitions keep those we do not use out of the program.
# The packages also name Polly as a dependency without shipping it: the same for its one entry point.
# One file a back end: a program that links the real one first gets that one.
set(zeroth_llvm_shims ${CMAKE_CURRENT_BINARY_DIR}/llvm_shims.cpp)
set(header llvm/Plugins/PassPlugin.h) # before 22: llvm/Passes
if(NOT EXISTS ${LLVM_INCLUDE_DIR}/${header})
  set(header llvm/Passes/PassPlugin.h)
endif()
file(CONFIGURE OUTPUT ${zeroth_llvm_shims} @ONLY CONTENT
     "#include <@header@>\n\nllvm::PassPluginLibraryInfo getPollyPluginInfo() { return {}; }\n")
foreach(target IN LISTS LLVM_TARGETS_TO_BUILD)
  if(NOT target STREQUAL X86)
    set(text "extern \"C\" {\n")
    foreach(part Target TargetInfo TargetMC AsmPrinter AsmParser)
      string(APPEND text "void LLVMInitialize${target}${part}() {}\n")
    endforeach()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/llvm_shims/${target}.cpp CONTENT "@text@}\n" @ONLY)
    list(APPEND zeroth_llvm_shims ${CMAKE_CURRENT_BINARY_DIR}/llvm_shims/${target}.cpp)
  endif()
endforeach()
add_library(zeroth_llvm_shims STATIC ${zeroth_llvm_shims})
target_link_libraries(zeroth_llvm_shims PUBLIC zeroth_llvm_headers)

llvm_map_components_to_libnames(zeroth_llvm_libraries X86AsmParser X86CodeGen X86Desc X86Info AsmParser BitReader
                                BitWriter CodeGen Core IPO IRReader Linker MC Object Passes Support Target TargetParser
                                TransformUtils Vectorize)
add_library(zeroth_llvm INTERFACE)
add_library(zeroth::llvm ALIAS zeroth_llvm)
target_link_libraries(zeroth_llvm INTERFACE zeroth_llvm_headers zeroth_llvm_shims ${zeroth_llvm_libraries})
target_link_options(zeroth_llvm INTERFACE -fuse-ld=lld -B${LLVM_TOOLS_BINARY_DIR} -Wl,--gc-sections)
if(ZEROTH_SANITIZE MATCHES address)
  set(zeroth_llvm_program $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
  target_sources(zeroth_llvm INTERFACE $<${zeroth_llvm_program}:${CMAKE_CURRENT_LIST_DIR}/sanitizer_options.cpp>)
endif()

# Another machine's code generator, for tests; before everything else, see above.
llvm_map_components_to_libnames(zeroth_aarch64_libraries AArch64AsmParser AArch64CodeGen AArch64Desc AArch64Info)
add_library(zeroth_llvm_aarch64 INTERFACE)
add_library(zeroth::llvm_aarch64 ALIAS zeroth_llvm_aarch64)
target_link_libraries(zeroth_llvm_aarch64 INTERFACE ${zeroth_aarch64_libraries} zeroth_llvm)

add_library(zeroth_lld INTERFACE)
add_library(zeroth::lld ALIAS zeroth_lld)
set(zeroth_lto LLVMLTO)
if(EXISTS ${LLVM_LIBRARY_DIR}/libLLVMDTLTO.a)
  set(zeroth_lto ${LLVM_LIBRARY_DIR}/libLLVMDTLTO.a LLVMLTO)
endif()
target_link_libraries(zeroth_lld INTERFACE ${LLVM_LIBRARY_DIR}/liblldELF.a ${LLVM_LIBRARY_DIR}/liblldCommon.a ${zeroth_lto}
                                           LLVMOption zeroth_llvm)

find_program(ZEROTH_CLANG NAMES clang++ PATHS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH REQUIRED)
