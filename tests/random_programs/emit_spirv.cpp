#include "emit_spirv.hpp"

#include "emit_vectors.hpp"
#include "spirv_instructions.hpp"
#include "spirv_module.hpp"

namespace zeroth::random_programs {
namespace {

// The body of the kernel or of one helper function.
class Body {
public:
  explicit Body(Module& module) : m_(module), w_(module.w) {}

  void kernel() {
    const Program& p = m_.program;
    const Id global = m_.pointer(spv::StorageClassCrossWorkgroup, m_.u32);
    const Id signature =
        w_.declare(spv::OpTypeFunction, {m_.nothing, global, global, global, m_.u32, m_.u32, m_.u32, m_.u32});
    const Id function = w_.new_id();
    w_.emit(spv::OpFunction, {m_.nothing, function, 0, signature});
    input_ = w_.result(spv::OpFunctionParameter, global, {});
    output_ = w_.result(spv::OpFunctionParameter, global, {});
    counters_ = w_.result(spv::OpFunctionParameter, global, {});
    for (Id& uniform : uniforms_) uniform = w_.result(spv::OpFunctionParameter, m_.u32, {});
    begin(p.variables);
    for (uint32_t a = 0; a < p.private_arrays; ++a) clear_array(arrays_[a]);
    for (size_t v = 0; v < variables_.size(); ++v)
      w_.emit(spv::OpStore, {variables_[v], m_.constant(p.variables[v], 0)});
    block(p.body);
    w_.emit(spv::OpReturn, {});
    w_.emit(spv::OpFunctionEnd, {});
    declare_entry(function);
  }

  // Helper functions reach memory through parameters, as compiled C would.
  Id helper(const Function& f) {
    const Id global = m_.pointer(spv::StorageClassCrossWorkgroup, m_.u32);
    Words signature{m_.u32, global};
    for (uint32_t i = 0; i < UniformCount + f.parameters; ++i) signature.push_back(m_.u32);
    const Id type = w_.declare(spv::OpTypeFunction, signature);
    const Id function = w_.new_id();
    w_.emit(spv::OpFunction, {m_.u32, function, 0, type});
    input_ = w_.result(spv::OpFunctionParameter, global, {});
    for (Id& uniform : uniforms_) uniform = w_.result(spv::OpFunctionParameter, m_.u32, {});
    Words parameters;
    for (uint32_t i = 0; i < f.parameters; ++i) parameters.push_back(w_.result(spv::OpFunctionParameter, m_.u32, {}));
    in_helper_ = true;
    begin(f.variables);
    for (size_t v = 0; v < variables_.size(); ++v)
      w_.emit(spv::OpStore, {variables_[v], v < parameters.size() ? parameters[v] : m_.constant(f.variables[v], 0)});
    block(f.body);
    w_.emit(spv::OpReturnValue, {value(f.result)});
    w_.emit(spv::OpFunctionEnd, {});
    return function;
  }

private:
  void declare_entry(Id function) {
    const Program& p = m_.program;
    Words entry{spv::ExecutionModelKernel, function};
    Module::append(entry, SpirvWriter::text("program"));
    Module::append(entry, m_.interface);
    w_.emit(Section::EntryPoints, spv::OpEntryPoint, entry);
    w_.emit(Section::Modes, spv::OpExecutionMode, {function, spv::ExecutionModeContractionOff});
    if (p.requires_group_size)
      w_.emit(Section::Modes, spv::OpExecutionMode,
              {function, spv::ExecutionModeLocalSize, p.group_size[0], p.group_size[1], p.group_size[2]});
    if (p.required_sub_group_size)
      w_.emit(Section::Modes, spv::OpExecutionMode,
              {function, spv::ExecutionModeSubgroupSize, p.required_sub_group_size});
  }

  void begin(const std::vector<Type>& types) {
    w_.emit(spv::OpLabel, {w_.new_id()});
    for (Type t : types)
      variables_.push_back(
          w_.result(spv::OpVariable, m_.pointer(spv::StorageClassFunction, m_.type(t)), {spv::StorageClassFunction}));
    if (in_helper_) return;
    const Id array = w_.declare(spv::OpTypeArray, {m_.u32, m_.constant(PrivateWords)});
    for (uint32_t a = 0; a < m_.program.private_arrays; ++a)
      arrays_.push_back(
          w_.result(spv::OpVariable, m_.pointer(spv::StorageClassFunction, array), {spv::StorageClassFunction}));
  }

  void clear_array(Id array) {
    for (uint32_t i = 0; i < PrivateWords; ++i)
      w_.emit(spv::OpStore, {element(spv::StorageClassFunction, array, m_.constant(i)), m_.constant(0)});
  }

  // ---- control flow ----------------------------------------------------------------------------------------------

  void label(Id id) { w_.emit(spv::OpLabel, {id}); }
  void jump(Id to) { w_.emit(spv::OpBranch, {to}); }
  void fork(Id condition, Id yes, Id no) { w_.emit(spv::OpBranchConditional, {condition, yes, no}); }
  // Code after a break, continue or return is unreachable but needs a block to stand in.
  void start_unreachable() { label(w_.new_id()); }

  void block(const Block& statements) {
    for (const Stmt& s : statements) statement(s);
  }

  void statement(const Stmt& s) {
    switch (s.kind) {
    case Kind::Assign:
      return w_.emit(spv::OpStore, {variables_[s.target], value(s.a)});
    case Kind::StorePrivate:
      return store(spv::StorageClassFunction, arrays_[s.target], s);
    case Kind::StoreLocal:
      return store(spv::StorageClassWorkgroup, m_.local_arrays[s.target], s);
    case Kind::StoreOutput:
      return store_output(s);
    case Kind::AtomicGlobal:
      return atomic(s, global_element(counters_, value(s.a)), spv::ScopeDevice);
    case Kind::AtomicLocal:
      return atomic(s, element(spv::StorageClassWorkgroup, m_.local_arrays[TallyArray], value(s.a)),
                    spv::ScopeWorkgroup);
    case Kind::Barrier:
      return barrier(spv::ScopeWorkgroup);
    case Kind::SubGroupBarrier:
      return barrier(spv::ScopeSubgroup);
    case Kind::If:
      return branch(s);
    case Kind::Switch:
      return choose(s);
    case Kind::For:
    case Kind::DoWhile:
      return loop(s);
    case Kind::Break:
      return jump(breaks_.back()), start_unreachable();
    case Kind::Continue:
      return jump(continues_.back()), start_unreachable();
    case Kind::Return:
      return leave(s);
    case Kind::SubGroup:
      return w_.emit(spv::OpStore, {variables_[s.target], sub_group(s)});
    }
  }

  void leave(const Stmt& s) {
    if (in_helper_)
      w_.emit(spv::OpReturnValue, {value(s.a)});
    else
      w_.emit(spv::OpReturn, {});
    start_unreachable();
  }

  void branch(const Stmt& s) {
    const Id yes = w_.new_id(), no = w_.new_id(), merge = w_.new_id();
    fork(value(s.a), yes, no);
    label(yes);
    block(s.body);
    jump(merge);
    label(no);
    block(s.other);
    jump(merge);
    label(merge);
  }

  void choose(const Stmt& s) {
    const Id merge = w_.new_id(), other = w_.new_id();
    Words labels, words{value(s.a), other};
    for (uint32_t c = 0; c < s.cases.size(); ++c) {
      labels.push_back(w_.new_id());
      words.push_back(c);
      words.push_back(labels.back());
    }
    w_.emit(spv::OpSwitch, words);
    for (size_t c = 0; c < s.cases.size(); ++c) {
      label(labels[c]);
      block(s.cases[c]);
      jump(!s.falls_through ? merge : c + 1 < labels.size() ? labels[c + 1] : other);
    }
    label(other);
    block(s.other);
    jump(merge);
    label(merge);
  }

  void loop(const Stmt& s) {
    const Id header = w_.new_id(), body = w_.new_id(), next = w_.new_id(), merge = w_.new_id();
    const Id counter = variables_[s.target], bound = variables_[s.target + 1];
    w_.emit(spv::OpStore, {bound, value(s.a)});
    w_.emit(spv::OpStore, {counter, m_.constant(0)});
    const auto test = [&] {
      label(header);
      fork(w_.result(spv::OpULessThan, m_.boolean, {load(m_.u32, counter), load(m_.u32, bound)}), body, merge);
    };
    jump(s.kind == Kind::For ? header : body);
    if (s.kind == Kind::For) test(); // a block stands after those that dominate it
    label(body);
    breaks_.push_back(merge);
    continues_.push_back(next);
    block(s.body);
    breaks_.pop_back();
    continues_.pop_back();
    jump(next);
    label(next);
    w_.emit(spv::OpStore, {counter, w_.result(spv::OpIAdd, m_.u32, {load(m_.u32, counter), m_.constant(1)})});
    jump(header);
    if (s.kind == Kind::DoWhile) test();
    label(merge);
  }

  void barrier(spv::Scope scope) {
    w_.emit(spv::OpControlBarrier,
            {m_.constant(scope), m_.constant(scope),
             m_.constant(spv::MemorySemanticsSequentiallyConsistentMask | spv::MemorySemanticsWorkgroupMemoryMask)});
  }

  // ---- memory ----------------------------------------------------------------------------------------------------

  Id load(Id type, Id from) { return w_.result(spv::OpLoad, type, {from}); }
  Id widen(Id index) { return w_.result(spv::OpUConvert, m_.u64, {index}); }
  Id element(spv::StorageClass storage, Id array, Id index) {
    return w_.result(spv::OpInBoundsAccessChain, m_.pointer(storage, m_.u32), {array, widen(index)});
  }
  Id global_element(Id base, Id index) {
    return w_.result(spv::OpInBoundsPtrAccessChain, m_.pointer(spv::StorageClassCrossWorkgroup, m_.u32),
                     {base, widen(index)});
  }
  Id load_word(Id from) { return w_.result(spv::OpLoad, m_.u32, {from, spv::MemoryAccessAlignedMask, 4}); }

  void store(spv::StorageClass storage, Id array, const Stmt& s) {
    const Id index = value(s.a), word = value(s.b);
    w_.emit(spv::OpStore, {element(storage, array, index), word});
  }

  void store_output(const Stmt& s) {
    const Id word = value(s.a);
    Id linear = id_component(spv::BuiltInGlobalInvocationId, 2);
    for (uint32_t d : {1u, 0u}) {
      linear = w_.result(spv::OpIMul, m_.u32, {linear, id_component(spv::BuiltInGlobalSize, d)});
      linear = w_.result(spv::OpIAdd, m_.u32, {linear, id_component(spv::BuiltInGlobalInvocationId, d)});
    }
    linear = w_.result(spv::OpIMul, m_.u32, {linear, m_.constant(m_.program.slots)});
    linear = w_.result(spv::OpIAdd, m_.u32, {linear, m_.constant(s.target)});
    w_.emit(spv::OpStore, {global_element(output_, linear), word, spv::MemoryAccessAlignedMask, 4});
  }

  void atomic(const Stmt& s, Id cell, spv::Scope scope) {
    static constexpr spv::Op ops[] = {spv::OpAtomicIAdd, spv::OpAtomicAnd,  spv::OpAtomicOr,
                                      spv::OpAtomicXor,  spv::OpAtomicUMin, spv::OpAtomicUMax};
    w_.result(ops[s.target], m_.u32, {cell, m_.constant(scope), m_.constant(0), value(s.b)});
  }

  // ---- values ----------------------------------------------------------------------------------------------------

  Id id_component(spv::BuiltIn which, uint32_t dimension) {
    const Id whole = load(m_.vector, m_.builtin(which));
    const Id part = w_.result(spv::OpCompositeExtract, m_.u64, {whole, dimension});
    return w_.result(spv::OpUConvert, m_.u32, {part});
  }

  Id local_linear() {
    Id linear = id_component(spv::BuiltInLocalInvocationId, 2);
    for (uint32_t d : {1u, 0u}) {
      linear = w_.result(spv::OpIMul, m_.u32, {linear, id_component(spv::BuiltInWorkgroupSize, d)});
      linear = w_.result(spv::OpIAdd, m_.u32, {linear, id_component(spv::BuiltInLocalInvocationId, d)});
    }
    return linear;
  }

  Id local_linear_size() {
    Id product = id_component(spv::BuiltInWorkgroupSize, 0);
    for (uint32_t d : {1u, 2u})
      product = w_.result(spv::OpIMul, m_.u32, {product, id_component(spv::BuiltInWorkgroupSize, d)});
    return product;
  }

  Id sub_group(const Stmt& s) {
    const Id operand = value(s.a), scope = m_.constant(spv::ScopeSubgroup);
    const auto group = [&](spv::Op op, spv::GroupOperation how) {
      return w_.result(op, m_.u32, {scope, uint32_t(how), operand});
    };
    const auto nonzero = [&] { return w_.result(spv::OpINotEqual, m_.boolean, {operand, m_.constant(0)}); };
    const auto odd = [&] {
      const Id low = w_.result(spv::OpBitwiseAnd, m_.u32, {operand, m_.constant(1)});
      return w_.result(spv::OpINotEqual, m_.boolean, {low, m_.constant(0)});
    };
    const auto as_word = [&](Id flag) {
      return w_.result(spv::OpSelect, m_.u32, {flag, m_.constant(1), m_.constant(0)});
    };
    switch (s.sub_group_op) {
    case SubGroupOp::ReduceAdd:
      return group(spv::OpGroupNonUniformIAdd, spv::GroupOperationReduce);
    case SubGroupOp::ReduceMinU:
      return group(spv::OpGroupNonUniformUMin, spv::GroupOperationReduce);
    case SubGroupOp::ReduceMaxS:
      return group(spv::OpGroupNonUniformSMax, spv::GroupOperationReduce);
    case SubGroupOp::ReduceXor:
      return group(spv::OpGroupNonUniformBitwiseXor, spv::GroupOperationReduce);
    case SubGroupOp::InclusiveAdd:
      return group(spv::OpGroupNonUniformIAdd, spv::GroupOperationInclusiveScan);
    case SubGroupOp::ExclusiveAdd:
      return group(spv::OpGroupNonUniformIAdd, spv::GroupOperationExclusiveScan);
    case SubGroupOp::BroadcastFirst:
      return w_.result(spv::OpGroupNonUniformBroadcastFirst, m_.u32, {scope, operand});
    case SubGroupOp::Any:
      return as_word(w_.result(spv::OpGroupNonUniformAny, m_.boolean, {scope, nonzero()}));
    case SubGroupOp::All:
      return as_word(w_.result(spv::OpGroupNonUniformAll, m_.boolean, {scope, nonzero()}));
    case SubGroupOp::Reverse: {
      const Id size = load(m_.u32, m_.builtin(spv::BuiltInSubgroupSize));
      const Id last = w_.result(spv::OpISub, m_.u32, {size, m_.constant(1)});
      const Id own = load(m_.u32, m_.builtin(spv::BuiltInSubgroupLocalInvocationId));
      const Id lane = w_.result(spv::OpISub, m_.u32, {last, own});
      return w_.result(spv::OpGroupNonUniformShuffle, m_.u32, {scope, operand, lane});
    }
    case SubGroupOp::ScanMinU:
      return group(spv::OpGroupNonUniformUMin, spv::GroupOperationInclusiveScan);
    case SubGroupOp::ScanOr:
      return group(spv::OpGroupNonUniformBitwiseOr, spv::GroupOperationInclusiveScan);
    case SubGroupOp::ExclusiveMaxS:
      return group(spv::OpGroupNonUniformSMax, spv::GroupOperationExclusiveScan);
    case SubGroupOp::Elect:
      return as_word(w_.result(spv::OpGroupNonUniformElect, m_.boolean, {scope}));
    case SubGroupOp::AllEqual:
      return as_word(w_.result(spv::OpGroupNonUniformAllEqual, m_.boolean, {scope, operand}));
    case SubGroupOp::LowestBallot: {
      const Id bits = w_.result(spv::OpGroupNonUniformBallot, m_.ballot, {scope, odd()});
      const Id lowest = w_.result(spv::OpGroupNonUniformBallotFindLSB, m_.u32, {scope, bits});
      const Id any = w_.result(spv::OpGroupNonUniformAny, m_.boolean, {scope, odd()});
      return w_.result(spv::OpSelect, m_.u32, {any, lowest, m_.constant(m_.program.required_sub_group_size)});
    }
    case SubGroupOp::BallotBelow: {
      const Id bits = w_.result(spv::OpGroupNonUniformBallot, m_.ballot, {scope, odd()});
      return w_.result(spv::OpGroupNonUniformBallotBitCount, m_.u32, {scope, spv::GroupOperationExclusiveScan, bits});
    }
    case SubGroupOp::CountBallot: {
      const Id bits = w_.result(spv::OpGroupNonUniformBallot, m_.ballot, {scope, nonzero()});
      return w_.result(spv::OpGroupNonUniformBallotBitCount, m_.u32, {scope, spv::GroupOperationReduce, bits});
    }
    }
    return operand;
  }

  Id call(const Expr& e) {
    Words words{m_.functions[e.value], input_};
    Module::append(words, Words(uniforms_.begin(), uniforms_.end()));
    for (const Expr& argument : e.args) words.push_back(value(argument));
    return w_.result(spv::OpFunctionCall, m_.u32, words);
  }

  Id through(Id narrow, spv::Op back, Id operand) { // keeps the low bits
    return w_.result(back, m_.u32, {w_.result(spv::OpUConvert, narrow, {operand})});
  }

  Id extended(uint32_t instruction, Id type, Words operands) {
    Words words{m_.extended, instruction};
    Module::append(words, operands);
    return w_.result(spv::OpExtInst, type, words);
  }

  Id value(const Expr& e) {
    switch (e.op) {
    case Op::Constant:
      return m_.constant(e.type, e.value);
    case Op::Variable:
      return load(m_.type(e.type), variables_[e.value]);
    case Op::Uniform:
      return uniforms_[e.value];
    case Op::GlobalId:
      return id_component(spv::BuiltInGlobalInvocationId, uint32_t(e.value));
    case Op::LocalId:
      return id_component(spv::BuiltInLocalInvocationId, uint32_t(e.value));
    case Op::GroupId:
      return id_component(spv::BuiltInWorkgroupId, uint32_t(e.value));
    case Op::LocalSize:
      return id_component(spv::BuiltInWorkgroupSize, uint32_t(e.value));
    case Op::LocalLinearId:
      return local_linear();
    case Op::LocalLinearSize:
      return local_linear_size();
    case Op::SubGroupId:
      return load(m_.u32, m_.builtin(spv::BuiltInSubgroupId));
    case Op::SubGroupLocalId:
      return load(m_.u32, m_.builtin(spv::BuiltInSubgroupLocalInvocationId));
    case Op::SubGroupSize:
      return load(m_.u32, m_.builtin(spv::BuiltInSubgroupSize));
    case Op::LoadInput:
      return load_word(global_element(input_, value(e.args[0])));
    case Op::LoadInputPair:
      return load_pair(m_, input_, widen(value(e.args[0])));
    case Op::LoadPrivate:
      return load(m_.u32, element(spv::StorageClassFunction, arrays_[e.value], value(e.args[0])));
    case Op::LoadLocal:
      return load(m_.u32, element(spv::StorageClassWorkgroup, m_.local_arrays[e.value], value(e.args[0])));
    case Op::Call:
      return call(e);
    default:
      return operation(e);
    }
  }

  Id operation(const Expr& e) {
    Words v;
    for (const Expr& argument : e.args) v.push_back(value(argument));
    if (is_vector_operation(e)) return vector_operation(m_, e, v);
    if (e.op == Op::SignExtend8) return through(m_.u8, spv::OpSConvert, v[0]);
    if (e.op == Op::ZeroExtend16) return through(m_.u16, spv::OpUConvert, v[0]);
    const Instruction& instruction = instruction_of(e.op);
    if (instruction.extended) return extended(instruction.opcode, m_.type(e.type), v);
    return w_.result(uint16_t(instruction.opcode), m_.type(e.type), v);
  }

  Module& m_;
  SpirvWriter& w_;
  Id input_ = 0, output_ = 0, counters_ = 0;
  std::array<Id, UniformCount> uniforms_{};
  Words variables_, arrays_, breaks_, continues_;
  bool in_helper_ = false;
};

} // namespace

std::vector<uint32_t> emit_spirv(const Program& program) {
  Module module(program);
  for (const Function& f : program.functions) module.functions.push_back(Body(module).helper(f));
  Body(module).kernel();
  return module.w.finish();
}

} // namespace zeroth::random_programs
