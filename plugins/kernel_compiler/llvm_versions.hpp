// Everything in which the supported LLVM releases (19 to 22) differ for this tree: other files are written for all.
// tools/cmake and llvm.cmake hold what differs for the build.
#pragma once

#include <memory>
#include <string>

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

static_assert(LLVM_VERSION_MAJOR >= 19, "LLVM 19 to 22 are supported");

namespace zeroth::llvm_version {

// The number of an intrinsic by its full name ("llvm.fabs.f32"); not_intrinsic for others.
inline llvm::Intrinsic::ID intrinsic_named(llvm::StringRef name) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::lookupIntrinsicID(name);
#else
  return llvm::Function::lookupIntrinsicID(name);
#endif
}

inline llvm::Function* declare_intrinsic(llvm::Module& module, llvm::Intrinsic::ID id,
                                         llvm::ArrayRef<llvm::Type*> overloads) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::getOrInsertDeclaration(&module, id, overloads);
#else
  return llvm::Intrinsic::getDeclaration(&module, id, overloads);
#endif
}

// Whether a function takes a triple or its text is asked of the function itself; the same holds below.
template <class Module> void set_triple(Module& module, const llvm::Triple& triple) {
  if constexpr (requires { module.setTargetTriple(triple); })
    module.setTargetTriple(triple);
  else
    module.setTargetTriple(triple.str());
}

// Null, with the reason in `error`, when no code generator knows the triple.
template <class Triple> const llvm::Target* find_target(const Triple& triple, std::string& error) {
  if constexpr (requires { llvm::TargetRegistry::lookupTarget(triple, error); })
    return llvm::TargetRegistry::lookupTarget(triple, error);
  else
    return llvm::TargetRegistry::lookupTarget(triple.str(), error);
}

// Position-independent code of the small model, at the default level.
template <class Target>
std::unique_ptr<llvm::TargetMachine> create_machine(const Target& target, const llvm::Triple& triple,
                                                    llvm::StringRef cpu, llvm::StringRef features,
                                                    const llvm::TargetOptions& options) {
  const auto create = [&](const auto& name) requires requires {
    target.createTargetMachine(name, cpu, features, options, llvm::Reloc::PIC_);
  }
  {
    return std::unique_ptr<llvm::TargetMachine>(target.createTargetMachine(
        name, cpu, features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
  };
  if constexpr (requires { create(triple); })
    return create(triple);
  else
    return create(triple.str());
}

// A compile unit of optimised code in C.
inline llvm::DICompileUnit* create_c_unit(llvm::DIBuilder& builder, llvm::DIFile* file, llvm::StringRef producer) {
#if LLVM_VERSION_MAJOR >= 22
  const llvm::DISourceLanguageName language{static_cast<uint16_t>(llvm::dwarf::DW_LANG_C99)};
#else
  const unsigned language = llvm::dwarf::DW_LANG_C99;
#endif
  return builder.createCompileUnit(language, file, producer, true, "", 0);
}

// A debug record at the place where `ir` inserts.
template <class Builder>
void insert_debug_value(Builder& builder, llvm::Value* value, llvm::DILocalVariable* variable,
                        llvm::DIExpression* expression, const llvm::DILocation* location, llvm::IRBuilderBase& ir) {
  const auto insert = [&](auto place) requires requires {
    builder.insertDbgValueIntrinsic(value, variable, expression, location, place);
  }
  { builder.insertDbgValueIntrinsic(value, variable, expression, location, place); };
  if constexpr (requires { insert(ir.GetInsertPoint()); })
    insert(ir.GetInsertPoint());
  else if (ir.GetInsertPoint() == ir.GetInsertBlock()->end())
    insert(ir.GetInsertBlock());
  else
    insert(&*ir.GetInsertPoint());
}

// Of a load or store.
inline llvm::Type* accessed_type(const llvm::Instruction& access) {
  return llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&access));
}
inline llvm::Align access_alignment(const llvm::Instruction& access) {
  return llvm::getLoadStoreAlignment(const_cast<llvm::Instruction*>(&access));
}

// The low bits of `value`.
inline llvm::ConstantInt* signed_constant(llvm::Type* type, int64_t value) {
  const llvm::APInt bits(64, static_cast<uint64_t>(value));
  return llvm::ConstantInt::get(type->getContext(), bits.sextOrTrunc(type->getIntegerBitWidth()));
}

// Whether the name of a vector intrinsic tells the type of an operand (-1: of the result), and whether an operand
// is one number for all lanes.
template <class Intrinsic> bool overloads_on(Intrinsic id, int operand) {
  if constexpr (requires { llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, operand, nullptr); })
    return llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, operand, nullptr);
  else
    return llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, operand);
}
template <class Intrinsic> bool stays_scalar(Intrinsic id, unsigned operand) {
  if constexpr (requires { llvm::isVectorIntrinsicWithScalarOpAtArg(id, operand, nullptr); })
    return llvm::isVectorIntrinsicWithScalarOpAtArg(id, operand, nullptr);
  else
    return llvm::isVectorIntrinsicWithScalarOpAtArg(id, operand);
}

} // namespace zeroth::llvm_version
