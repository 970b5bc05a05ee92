// The same assertions as C++ sees the headers.
#include <zeroth/test/abi.c>
