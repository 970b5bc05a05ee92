#include "test_program.hpp"

#include "../../dialect.hpp"

#include <map>
#include <stdexcept>

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>

namespace zeroth::codegen::testing {

namespace {

using namespace dialect;

const std::map<std::string_view, std::string_view> Dimensional = {
    {"get_global_id", GlobalId}, {"get_global_size", GlobalSize}, {"get_global_offset", GlobalOffset},
    {"get_local_id", LocalId},   {"get_local_size", LocalSize},   {"get_enqueued_local_size", EnqueuedLocalSize},
    {"get_group_id", GroupId},   {"get_num_groups", NumGroups}};
const std::map<std::string_view, std::string_view> Plain = {{"get_work_dim", WorkDim},
                                                            {"get_global_linear_id", GlobalLinearId},
                                                            {"get_local_linear_id", LocalLinearId},
                                                            {"get_sub_group_size", SubGroupSize},
                                                            {"get_max_sub_group_size", SubGroupMaxSize},
                                                            {"get_num_sub_groups", NumSubGroups},
                                                            {"get_sub_group_id", SubGroupId},
                                                            {"get_sub_group_local_id", SubGroupLocalId}};
const std::map<std::string_view, llvm::Intrinsic::ID> Intrinsics = {
    {"sqrt", llvm::Intrinsic::sqrt},   {"native_sqrt", llvm::Intrinsic::sqrt}, {"fma", llvm::Intrinsic::fma},
    {"mad", llvm::Intrinsic::fma},     {"fabs", llvm::Intrinsic::fabs},        {"floor", llvm::Intrinsic::floor},
    {"fmin", llvm::Intrinsic::minnum}, {"fmax", llvm::Intrinsic::maxnum}};

std::string type_suffix(llvm::Type* type) {
  if (type->isHalfTy()) return "f16";
  if (type->isFloatTy()) return "f32";
  if (type->isDoubleTy()) return "f64";
  return "i" + std::to_string(type->getScalarSizeInBits());
}

class Renamer {
public:
  explicit Renamer(llvm::Module& module) : module_(module), builder_(module.getContext()) {}

  void run() {
    llvm::SmallVector<llvm::CallInst*> calls;
    for (llvm::Function& function : module_)
      for (llvm::Instruction& instruction : llvm::instructions(function))
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
          if (call->getCalledFunction() && call->getCalledFunction()->getName().starts_with("_Z") &&
              call->getCalledFunction()->isDeclaration())
            calls.push_back(call);
    for (llvm::CallInst* call : calls) rename(call);
  }

private:
  void rename(llvm::CallInst* call) {
    std::string full = llvm::demangle(call->getCalledFunction()->getName().str());
    std::string name = full.substr(0, full.find('('));
    builder_.SetInsertPoint(call);
    llvm::Value* value = translate(call, name, full);
    if (!value) throw std::runtime_error("no dialect form of " + full);
    if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }

  llvm::Value* translate(llvm::CallInst* call, const std::string& name, const std::string& full) {
    if (auto found = Dimensional.find(name); found != Dimensional.end())
      return emit(found->second, call->getType(), {call->getArgOperand(0)});
    if (auto found = Plain.find(name); found != Plain.end()) return emit(found->second, call->getType(), {});
    if (auto found = Intrinsics.find(name); found != Intrinsics.end())
      return builder_.CreateIntrinsic(found->second, {call->getType()}, llvm::SmallVector<llvm::Value*>(call->args()));
    if (name == "barrier") return barrier(2);
    if (name == "sub_group_barrier") return barrier(3);
    if (name == "rsqrt") {
      llvm::Value* root = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, call->getArgOperand(0));
      return builder_.CreateFDiv(llvm::ConstantFP::get(root->getType(), 1.0), root);
    }
    if (name == "dot") return dot(call);
    if (name.starts_with("atomic_") || name.starts_with("atom_")) return atomic(call, name);
    for (std::string_view function : {"exp", "log", "erf", "sin", "cos", "pow"})
      if (name == function)
        return emit(std::string(MathPrefix) + name + "." + type_suffix(call->getType()), call->getType(),
                    llvm::SmallVector<llvm::Value*>(call->args()));
    return group(call, name, full);
  }

  llvm::Value* emit(std::string_view name, llvm::Type* type, llvm::ArrayRef<llvm::Value*> values,
                    bool convergent = false) {
    llvm::SmallVector<llvm::Type*> types;
    for (llvm::Value* value : values) types.push_back(value->getType());
    llvm::FunctionCallee callee =
        module_.getOrInsertFunction(llvm::StringRef(name), llvm::FunctionType::get(type, types, false));
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    if (convergent)
      function->setConvergent();
    else
      function->setDoesNotAccessMemory();
    function->setWillReturn();
    function->setDoesNotThrow();
    return builder_.CreateCall(callee, values);
  }

  llvm::Value* barrier(uint32_t scope) {
    return emit(Barrier, builder_.getVoidTy(),
                {builder_.getInt32(scope), builder_.getInt32(scope), builder_.getInt32(0x108)}, true);
  }

  llvm::Value* dot(llvm::CallInst* call) {
    llvm::Value* product = builder_.CreateFMul(call->getArgOperand(0), call->getArgOperand(1));
    llvm::Value* sum = builder_.CreateExtractElement(product, uint64_t(0));
    unsigned size = llvm::cast<llvm::FixedVectorType>(product->getType())->getNumElements();
    for (unsigned i = 1; i < size; ++i)
      sum = builder_.CreateFAdd(sum, builder_.CreateExtractElement(product, uint64_t(i)));
    return sum;
  }

  llvm::Value* atomic(llvm::CallInst* call, const std::string& name) {
    llvm::Type* type = call->getType();
    llvm::Value* operand = call->arg_size() > 1 ? call->getArgOperand(1) : llvm::ConstantInt::get(type, 1);
    auto operation = name.ends_with("dec") || name.ends_with("sub") ? llvm::AtomicRMWInst::Sub
                     : name.ends_with("max")                        ? llvm::AtomicRMWInst::Max
                     : name.ends_with("or")                         ? llvm::AtomicRMWInst::Or
                                                                    : llvm::AtomicRMWInst::Add;
    return builder_.CreateAtomicRMW(operation, call->getArgOperand(0), operand, {}, llvm::AtomicOrdering::Monotonic);
  }

  // sub_group_reduce_add → zeroth.sub_group.reduce_add.f32
  llvm::Value* group(llvm::CallInst* call, const std::string& name, const std::string& full) {
    bool sub = name.starts_with("sub_group_");
    if (!sub && !name.starts_with("work_group_")) return nullptr;
    std::string operation = name.substr(sub ? 10 : 11);
    std::string prefix(sub ? SubGroupPrefix : WorkGroupPrefix);
    if (operation == "all" || operation == "any") {
      llvm::Value* condition = builder_.CreateIsNotNull(call->getArgOperand(0));
      return builder_.CreateZExt(emit(prefix + operation, builder_.getInt1Ty(), {condition}, true), call->getType());
    }
    if (call->getType()->isIntegerTy() && (operation.ends_with("_min") || operation.ends_with("_max")))
      operation.insert(operation.size() - 3, full.find("(unsigned") == std::string::npos ? "s" : "u");
    llvm::SmallVector<llvm::Value*> values(call->args());
    if (!sub && operation == "broadcast")
      while (values.size() < 4) values.push_back(builder_.getInt64(0));
    return emit(prefix + operation + "." + type_suffix(call->getType()), call->getType(), values, true);
  }

  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
};

} // namespace

std::unique_ptr<llvm::Module> read_opencl(llvm::LLVMContext& context, const std::string& path) {
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(path, error, context);
  if (!module) throw std::runtime_error(path + ": " + error.getMessage().str());
  Renamer(*module).run();
  return module;
}

} // namespace zeroth::codegen::testing
