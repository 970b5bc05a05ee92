#include "compiled_builtin.hpp"

namespace zeroth::accuracy {
namespace {

namespace testing = codegen::testing;

constexpr uint32_t group = 256;
const testing::Launch launch{{group, 1, 1}, {CompiledBuiltin::block / group, 1, 1}};

std::unique_ptr<testing::Program> compile(const std::string& name) {
  const std::string function = "@zeroth.math." + name + ".f32";
  return testing::Program::from_text("declare i64 @zeroth.global_id(i32)\n"
                                     "declare float " +
                                     function +
                                     "(float)\n"
                                     "define spir_kernel void @map(ptr addrspace(1) %in, ptr addrspace(1) %out) {\n"
                                     "  %i = call i64 @zeroth.global_id(i32 0)\n"
                                     "  %pi = getelementptr float, ptr addrspace(1) %in, i64 %i\n"
                                     "  %po = getelementptr float, ptr addrspace(1) %out, i64 %i\n"
                                     "  %x = load float, ptr addrspace(1) %pi\n"
                                     "  %y = call float " +
                                     function +
                                     "(float %x)\n"
                                     "  store float %y, ptr addrspace(1) %po\n"
                                     "  ret void\n"
                                     "}\n");
}

} // namespace

CompiledBuiltin::CompiledBuiltin(const std::string& name)
    : program_(compile(name)), addresses_(testing::Arguments().value(arguments_.data()).value(results_.data())),
      session_(addresses_, launch, program_->memory("map", addresses_, launch), 1), entry_(program_->entry("map")) {}

uint32_t CompiledBuiltin::width() const { return program_->kernel("map").width; }

const std::array<float, CompiledBuiltin::block>&
CompiledBuiltin::operator()(const std::array<float, block>& arguments) {
  arguments_ = arguments;
  session_.run(entry_, 0, 0, session_.groups());
  return results_;
}

} // namespace zeroth::accuracy
