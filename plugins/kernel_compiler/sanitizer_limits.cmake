# What the undefined-behaviour sanitizer cannot check beside LLVM, whose libraries carry no type information: a program
# that links both may take the virtual tables of LLVM's copies of the standard library's templates. Adds to what is
# defined in this folder and in those below it.
if(ZEROTH_SANITIZE MATCHES undefined)
  add_compile_options(-fno-sanitize=vptr)
endif()
