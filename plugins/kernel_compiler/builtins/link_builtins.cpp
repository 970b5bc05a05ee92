#include "link_builtins.hpp"

#include <algorithm>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBufferRef.h>
#include <stdexcept>
#include <vector>

extern "C" const char zeroth_builtins_begin[], zeroth_builtins_end[];
extern "C" const char zeroth_runtime_begin[], zeroth_runtime_end[];

namespace zeroth::builtins {
namespace {

constexpr llvm::StringRef math_prefix = "zeroth.math.", image_prefix = "zeroth.image.",
                          image_function = "zeroth_image_";

std::unique_ptr<llvm::Module> open_library(llvm::LLVMContext& context) {
  const llvm::StringRef data(zeroth_builtins_begin, zeroth_builtins_end - zeroth_builtins_begin);
  auto library = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(data, "builtins"), context);
  if (!library) throw std::runtime_error("built-in library: " + llvm::toString(library.takeError()));
  return std::move(*library);
}

std::vector<llvm::Function*> wanted_functions(llvm::Module& module) {
  std::vector<llvm::Function*> wanted;
  for (llvm::Function& function : module)
    if (function.isDeclaration() &&
        (function.getName().starts_with(math_prefix) || function.getName().starts_with(image_prefix)))
      wanted.push_back(&function);
  return wanted;
}

// The library is compiled for the baseline; a function that is to be inlined must not insist on it.
void adapt(llvm::Function& function) {
  for (const char* attribute : {"target-cpu", "target-features", "tune-cpu", "min-legal-vector-width",
                                "stack-protector-buffer-size", "frame-pointer", "no-trapping-math"})
    function.removeFnAttr(attribute);
  function.removeFnAttr(llvm::Attribute::NoInline);
  function.removeFnAttr(llvm::Attribute::UWTable);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.setVisibility(llvm::GlobalValue::DefaultVisibility);
  function.setComdat(nullptr);
}

// What images and samplers say of themselves never changes while a kernel runs; their texels may.
void mark_descriptor_load(llvm::LoadInst& load) {
  if (llvm::isa<llvm::Argument>(llvm::getUnderlyingObject(load.getPointerOperand())))
    load.setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load.getContext(), {}));
}

// The loops over components and neighbours are there to keep the code small: code generation is not to unroll them.
void mark_loop(llvm::Instruction& latch, const llvm::MDNode& loop) {
  llvm::LLVMContext& context = latch.getContext();
  llvm::SmallVector<llvm::Metadata*> properties(loop.op_begin(), loop.op_end());
  properties.push_back(llvm::MDNode::get(context, llvm::MDString::get(context, "zeroth.loop.keep")));
  llvm::MDNode* marked = llvm::MDNode::getDistinct(context, properties);
  marked->replaceOperandWith(0, marked);
  latch.setMetadata(llvm::LLVMContext::MD_loop, marked);
}

void mark_image_function(llvm::Function& function) {
  if (!function.getName().starts_with(image_function)) return;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) mark_descriptor_load(*load);
    if (const llvm::MDNode* loop = instruction.getMetadata(llvm::LLVMContext::MD_loop)) mark_loop(instruction, *loop);
  }
}

} // namespace

std::string link_builtins(llvm::Module& module) {
  const auto wanted = wanted_functions(module);
  if (wanted.empty()) return "";
  auto library = open_library(module.getContext());
  library->setDataLayout(module.getDataLayout());
  library->setTargetTriple(module.getTargetTriple());
  std::string missing;
  bool found = false;
  for (llvm::Function* function : wanted) {
    std::string name = function->getName().str();
    std::ranges::replace(name, '.', '_');
    const llvm::Function* body = library->getFunction(name);
    if (body && body->getFunctionType() == function->getFunctionType()) {
      function->setName(name);
      function->setCallingConv(body->getCallingConv());
      for (llvm::User* user : function->users())
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) call->setCallingConv(body->getCallingConv());
      found = true;
    } else {
      missing += (missing.empty() ? "" : ", ") + function->getName().str();
    }
  }
  if (!found) return missing;
  const auto internalize = [](llvm::Module& target, const llvm::StringSet<>& linked) {
    for (const auto& entry : linked)
      if (llvm::Function* function = target.getFunction(entry.getKey()); function && !function->isDeclaration()) {
        mark_image_function(*function);
        adapt(*function);
      }
  };
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded, internalize))
    throw std::runtime_error("built-in library: cannot be linked");
  return missing;
}

std::span<const char> runtime_archive() { return {zeroth_runtime_begin, zeroth_runtime_end}; }

} // namespace zeroth::builtins
