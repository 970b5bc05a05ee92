# What docs/conformance.md claims, tried: functions that work are checked by a device test, all others refuse as they should.
# Device tests are the programs that link zeroth::recorded_calls and stand in the global property ZEROTH_DEVICE_TESTS.
get_property(programs GLOBAL PROPERTY ZEROTH_DEVICE_TESTS)
list(TRANSFORM programs REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE program_files)
set(examine ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/conformance/mutants.py --device cpu
            --checked ${PROJECT_SOURCE_DIR}/tests/conformance/checked.json)
set(spec ${PROJECT_SOURCE_DIR}/api_core/spec)
add_test(NAME conformance.checked COMMAND ${examine} ${program_files})
add_test(NAME conformance.refusals
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/conformance/refusals_test.py ${spec} ${PROJECT_SOURCE_DIR}/plugins
                 ${ZEROTH_GENERATED_DIRECTORY}/python $<TARGET_FILE:zeroth_loader> ${CMAKE_BINARY_DIR}/kernels)
set_tests_properties(conformance.checked conformance.refusals PROPERTIES TIMEOUT 600)
add_custom_target(conformance
  COMMAND ${examine} --write ${program_files}
  COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/api_core/generator/conformance.py --spec ${spec}
          --plugins ${PROJECT_SOURCE_DIR}/plugins --tests ${PROJECT_SOURCE_DIR}/tests/conformance
          --out ${PROJECT_SOURCE_DIR}/docs/conformance.md
  DEPENDS ${programs} USES_TERMINAL VERBATIM)
