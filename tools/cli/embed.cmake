# cmake -DINPUT=file -DOUTPUT=file.cpp -DFUNCTION=name -P embed.cmake: the text of a file as a C++ function.
file(READ ${INPUT} text)
file(WRITE ${OUTPUT} "#include <string_view>\nnamespace zeroth::cli {\nstd::string_view ${FUNCTION}();\n"
     "std::string_view ${FUNCTION}() {\n  return R\"zeroth_text(${text})zeroth_text\";\n}\n}\n")
