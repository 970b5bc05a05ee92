#include "shared_range.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace zeroth::codegen {

namespace {

// All that the functions around a slice depend on.
std::string name_of(const Shape& shape) {
  std::string name = "zeroth.range";
  for (uint32_t trait : {uint32_t(shape.cut), shape.lanes, shape.parts, shape.known_size[0], shape.known_size[1],
                         shape.known_size[2], uint32_t(shape.whole_rows), shape.long_row})
    name += "." + std::to_string(trait);
  return name;
}

llvm::CallInst& only_call_in(llvm::Function& function) {
  for (llvm::Instruction& i : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i); call && !call->getCalledFunction()->isIntrinsic())
      return *call;
  llvm_unreachable("ranges call groups, and groups slices");
}

// The range function with one more argument, which is called instead of the slice.
llvm::Function& make_general(llvm::Function& range, llvm::Function& slice, const std::string& name) {
  llvm::SmallVector<llvm::Type*> types(range.getFunctionType()->params());
  types.push_back(llvm::PointerType::get(range.getContext(), 0));
  auto* type = llvm::FunctionType::get(range.getReturnType(), types, false);
  llvm::Function& general = *create_internal(*range.getParent(), type, name);
  general.splice(general.begin(), &range);
  for (llvm::Argument& argument : range.args()) argument.replaceAllUsesWith(general.getArg(argument.getArgNo()));
  slice.replaceUsesWithIf(general.getArg(range.arg_size()), [&](const llvm::Use& use) {
    return llvm::cast<llvm::Instruction>(use.getUser())->getFunction() == &general;
  });
  return general;
}

} // namespace

void share_range(Form& form, llvm::Function& slice) {
  llvm::Function& range = *form.range;
  llvm::CallInst& call = only_call_in(range);
  llvm::Function& group = *call.getCalledFunction();
  const std::string name = name_of(form.shape);
  form.slice = &slice;
  form.range = range.getParent()->getFunction(name);
  if (!form.range) {
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(call, info);
    form.range = &make_general(range, slice, name);
  }
  range.eraseFromParent();
  group.eraseFromParent();
}

} // namespace zeroth::codegen
