# zeroth_test(NAME SOURCES a_test.cpp... [LIBRARIES lib...] [LABELS label...])
# One GoogleTest program; ctest sees each of its cases.
enable_testing()
include(GoogleTest)
find_package(GTest REQUIRED)

function(zeroth_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE ${TEST_LIBRARIES} GTest::gmock GTest::gtest GTest::gtest_main)
  set(labels)
  if(TEST_LABELS) # an empty value would take the next word as the label
    set(labels LABELS "${TEST_LABELS}")
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES ${labels} TIMEOUT 300)
endfunction()
