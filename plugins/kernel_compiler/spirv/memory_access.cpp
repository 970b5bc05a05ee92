#include "memory_access.hpp"

#include <llvm/IR/MDBuilder.h>

#include <bit>

namespace zeroth::spirv {
namespace {

enum : uint32_t {
  Volatile = 1,
  Aligned = 2,
  Nontemporal = 4,
  MakeAvailable = 8,
  MakeVisible = 0x10,
  AliasScope = 0x10000,
  NoAlias = 0x20000
};

// The metadata of an alias domain or scope: distinct nodes, so that linked modules keep theirs apart.
llvm::MDNode* scope_node(Emitter& e, const Instruction& inst, llvm::MDNode* domain) {
  llvm::MDBuilder builder(e.context);
  const std::string name = "scope" + std::to_string(inst.result);
  return domain ? builder.createAnonymousAliasScope(domain, name) : builder.createAnonymousAliasScopeDomain(name);
}

llvm::MDNode* alias_list(Emitter& e, uint32_t list_id, const Instruction& where) {
  const Module& module = e.reader.index.module;
  const Instruction* list = module.definition(list_id);
  if (!list || list->op != Op::AliasScopeListDeclINTEL) where.fail("names an alias list that is none");
  llvm::SmallVector<llvm::Metadata*, 4> scopes;
  for (uint32_t scope_id : list->operands) {
    const Instruction* scope = module.definition(scope_id);
    if (!scope || scope->op != Op::AliasScopeDeclINTEL) list->fail("names an alias scope that is none");
    const Instruction* domain = module.definition(scope->operand(0));
    if (!domain || domain->op != Op::AliasDomainDeclINTEL) scope->fail("names an alias domain that is none");
    llvm::MDNode*& made = e.reader.alias_nodes[scope_id];
    if (!made) {
      llvm::MDNode*& parent = e.reader.alias_nodes[domain->result];
      if (!parent) parent = scope_node(e, *domain, nullptr);
      llvm::MDNode* domain_node = parent; // the map may move
      e.reader.alias_nodes[scope_id] = scope_node(e, *scope, domain_node);
    }
    scopes.push_back(e.reader.alias_nodes[scope_id]);
  }
  return llvm::MDNode::get(e.context, scopes);
}

} // namespace

MemoryAccess memory_access(const Instruction& inst, size_t index) {
  MemoryAccess access;
  access.next = index;
  if (index >= inst.size()) return access;
  const uint32_t mask = inst.operand(access.next++);
  access.is_volatile = mask & Volatile;
  access.nontemporal = mask & Nontemporal;
  if (mask & Aligned) {
    access.alignment = inst.operand(access.next++);
    if (!std::has_single_bit(access.alignment)) inst.fail("has an alignment that is no power of two");
  }
  if (mask & MakeAvailable) ++access.next;
  if (mask & MakeVisible) ++access.next;
  if (mask & AliasScope) access.alias_scopes = inst.operand(access.next++);
  if (mask & NoAlias) access.no_alias = inst.operand(access.next++);
  return access;
}

llvm::Align alignment_of(const MemoryAccess& access, uint64_t natural) {
  return llvm::Align(std::min<uint64_t>(access.alignment ? access.alignment : natural, 1u << 16));
}

uint64_t natural_alignment(Emitter& e, llvm::Type* type) {
  return e.reader.module().getDataLayout().getABITypeAlign(type).value();
}

void annotate(Emitter& e, llvm::Instruction* made, const MemoryAccess& access) {
  if (access.nontemporal) {
    llvm::Metadata* one = llvm::ConstantAsMetadata::get(e.ir.getInt32(1));
    made->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(e.context, one));
  }
  const Instruction here{};
  if (access.alias_scopes)
    made->setMetadata(llvm::LLVMContext::MD_alias_scope, alias_list(e, access.alias_scopes, here));
  if (access.no_alias) made->setMetadata(llvm::LLVMContext::MD_noalias, alias_list(e, access.no_alias, here));
}

llvm::LoadInst* load(Emitter& e, llvm::Type* type, llvm::Value* pointer, const MemoryAccess& access) {
  llvm::LoadInst* made =
      e.ir.CreateAlignedLoad(type, pointer, alignment_of(access, natural_alignment(e, type)), access.is_volatile);
  annotate(e, made, access);
  return made;
}

llvm::StoreInst* store(Emitter& e, llvm::Value* value, llvm::Value* pointer, const MemoryAccess& access) {
  llvm::StoreInst* made = e.ir.CreateAlignedStore(
      value, pointer, alignment_of(access, natural_alignment(e, value->getType())), access.is_volatile);
  annotate(e, made, access);
  return made;
}

} // namespace zeroth::spirv
