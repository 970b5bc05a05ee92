#include "reduce.hpp"

#include <utility>

namespace zeroth::random_programs {
namespace {

using Visit = std::function<void(Block&)>;
using VisitExpr = std::function<void(Expr&)>;

void each_block(Block& block, const Visit& visit) {
  visit(block);
  for (Stmt& statement : block) {
    each_block(statement.body, visit);
    each_block(statement.other, visit);
    for (Block& one : statement.cases) each_block(one, visit);
  }
}

void each_expr(Expr& expr, const VisitExpr& visit) {
  visit(expr);
  for (Expr& argument : expr.args) each_expr(argument, visit);
}

std::vector<Block*> blocks_of(Program& program) {
  std::vector<Block*> blocks;
  const auto note = [&](Block& block) { blocks.push_back(&block); };
  each_block(program.body, note);
  for (Function& function : program.functions) each_block(function.body, note);
  return blocks;
}

std::vector<Expr*> exprs_of(Program& program) {
  std::vector<Expr*> exprs;
  const auto note = [&](Expr& expr) { exprs.push_back(&expr); };
  for (Block* block : blocks_of(program))
    for (Stmt& statement : *block) {
      each_expr(statement.a, note);
      each_expr(statement.b, note);
    }
  for (Function& function : program.functions) each_expr(function.result, note);
  return exprs;
}

// Tries `change` on a copy; keeps it when the fault is still there. `change` returns false where it has nothing to do.
bool keep(Program& program, const std::function<bool(const Program&)>& shows,
          const std::function<bool(Program&)>& change) {
  Program copy = program;
  if (!change(copy) || !shows(copy)) return false;
  program = std::move(copy);
  return true;
}

bool drop_statements(Program& program, const std::function<bool(const Program&)>& shows) {
  bool any = false;
  for (size_t b = 0; b < blocks_of(program).size(); ++b)
    for (size_t s = blocks_of(program)[b]->size(); s-- > 0;) {
      any |= keep(program, shows, [&](Program& p) {
        const auto all = blocks_of(p);
        if (b >= all.size() || s >= all[b]->size()) return false;
        all[b]->erase(all[b]->begin() + std::ptrdiff_t(s));
        return true;
      });
      if (b >= blocks_of(program).size()) break;
    }
  return any;
}

// A statement's body in its place.
bool unwrap_statements(Program& program, const std::function<bool(const Program&)>& shows) {
  bool any = false;
  for (size_t b = 0; b < blocks_of(program).size(); ++b)
    for (size_t s = 0; b < blocks_of(program).size() && s < blocks_of(program)[b]->size(); ++s)
      any |= keep(program, shows, [&](Program& p) {
        Block& block = *blocks_of(p)[b];
        if (block[s].body.empty()) return false;
        const Block body = block[s].body;
        block.erase(block.begin() + std::ptrdiff_t(s));
        block.insert(block.begin() + std::ptrdiff_t(s), body.begin(), body.end());
        return true;
      });
  return any;
}

bool simplify_exprs(Program& program, const std::function<bool(const Program&)>& shows) {
  bool any = false;
  for (size_t e = 0; e < exprs_of(program).size(); ++e) {
    const size_t arguments = exprs_of(program)[e]->args.size();
    for (size_t a = 0; a < arguments && e < exprs_of(program).size(); ++a)
      any |= keep(program, shows, [&](Program& p) {
        Expr& expr = *exprs_of(p)[e];
        if (a >= expr.args.size() || expr.args[a].type != expr.type) return false;
        const Expr argument = expr.args[a];
        expr = argument;
        return true;
      });
    for (uint64_t constant : {0, 1})
      any |= keep(program, shows, [&](Program& p) {
        Expr& expr = *exprs_of(p)[e];
        if (expr.op == Op::Constant || expr.type == Type::Bool) return false;
        expr = Expr{Op::Constant, expr.type, constant, {}};
        return true;
      });
  }
  return any;
}

} // namespace

Program reduce(Program program, const std::function<bool(const Program&)>& shows) {
  for (uint32_t d = 0; d < 3; ++d) {
    keep(program, shows, [&](Program& p) { return std::exchange(p.group_count[d], 1u) != 1; });
    while (keep(program, shows, [&](Program& p) { return p.group_size[d] > 1 && (p.group_size[d] /= 2, true); })) {
    }
  }
  while (drop_statements(program, shows) || unwrap_statements(program, shows) || simplify_exprs(program, shows)) {
  }
  return program;
}

} // namespace zeroth::random_programs
