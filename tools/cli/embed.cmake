# cmake -DINPUT=file -DOUTPUT=file.c -DNAME=name -P embed.cmake: the bytes of a file as C data `name` and `name`_size.
file(READ ${INPUT} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "const unsigned char ${NAME}[] __attribute__((aligned(8))) = {${bytes}};\nconst unsigned int ${NAME}_size = ${size};\n")
