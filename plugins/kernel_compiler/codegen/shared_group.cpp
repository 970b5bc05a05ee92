#include "shared_group.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace zeroth::codegen {

namespace {

// All that the loops around a slice depend on.
std::string name_of(const Shape& shape) {
  std::string name = "zeroth.group";
  for (uint32_t trait : {uint32_t(shape.cut), shape.lanes, shape.parts, shape.known_size[0], shape.known_size[1],
                         shape.known_size[2], uint32_t(shape.whole_rows), uint32_t(shape.spans_groups())})
    name += "." + std::to_string(trait);
  return name;
}

} // namespace

void share_group(Form& form, llvm::Function& slice) {
  const std::string name = name_of(form.shape);
  llvm::Function *own = form.group, *shared = own->getParent()->getFunction(name);
  if (form.range) form.range->eraseFromParent();
  form.range = nullptr;
  form.slice = &slice;
  if (shared) {
    form.group = shared;
    own->eraseFromParent();
    return;
  }
  own->setName(name);
  slice.replaceUsesWithIf(own->getArg(group_argument::Slice), [&](const llvm::Use& use) {
    const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    return user && user->getFunction() == own;
  });
}

} // namespace zeroth::codegen
