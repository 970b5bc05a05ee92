#include "program.hpp"

#include <fmt/format.h>

namespace zeroth::random_programs {
namespace {

constexpr const char* OpNames[] = {"const",
                                   "var",
                                   "uniform",
                                   "global_id",
                                   "local_id",
                                   "group_id",
                                   "local_size",
                                   "local_linear_id",
                                   "local_linear_size",
                                   "sub_group_id",
                                   "sub_group_local_id",
                                   "sub_group_size",
                                   "input",
                                   "priv",
                                   "local",
                                   "call",
                                   "add",
                                   "sub",
                                   "mul",
                                   "and",
                                   "or",
                                   "xor",
                                   "not",
                                   "shl",
                                   "shr_u",
                                   "shr_s",
                                   "div_u",
                                   "rem_u",
                                   "div_s",
                                   "rem_s",
                                   "min_u",
                                   "max_u",
                                   "min_s",
                                   "max_s",
                                   "popcount",
                                   "clz",
                                   "sext8",
                                   "zext16",
                                   "fadd",
                                   "fsub",
                                   "fmul",
                                   "fmin",
                                   "fmax",
                                   "fabs",
                                   "eq",
                                   "ne",
                                   "lt_u",
                                   "lt_s",
                                   "flt",
                                   "land",
                                   "lor",
                                   "lnot",
                                   "select",
                                   "zext64",
                                   "sext64",
                                   "trunc32",
                                   "s_to_f",
                                   "f_to_s",
                                   "bits",
                                   "compose",
                                   "component",
                                   "with",
                                   "shuffle",
                                   "select_less",
                                   "input_pair"};
constexpr const char* SubGroupNames[] = {
    "reduce_add",      "reduce_min_u",    "reduce_max_s",  "reduce_xor", "inclusive_add", "exclusive_add",
    "broadcast_first", "reverse",         "any",           "all",        "count_ballot",  "scan_min_u",
    "scan_or",         "exclusive_max_s", "lowest_ballot", "elect",      "all_equal",     "ballot_below"};
constexpr const char* AtomicNames[] = {"add", "and", "or", "xor", "min_u", "max_u"};

std::string text(const Expr& e) {
  switch (e.op) {
  case Op::Constant:
    return fmt::format("{}", e.value);
  case Op::Variable:
    return fmt::format("v{}", e.value);
  case Op::Uniform:
    return fmt::format("u{}", e.value);
  default:
    break;
  }
  std::string result = OpNames[size_t(e.op)];
  if (e.args.empty() || e.op == Op::LoadPrivate || e.op == Op::LoadLocal || e.op == Op::Call)
    result += fmt::format("{}", e.value);
  if (e.op == Op::Shuffle) result += fmt::format("{:0{}x}", e.value, component_count(e.type)); // the last one first
  if (is_vector(e.type)) result += e.type == Type::U32x2 ? ".u32x2" : ".u16x4";
  if (e.args.empty()) return result;
  result += '(';
  for (size_t i = 0; i < e.args.size(); ++i) result += (i ? ", " : "") + text(e.args[i]);
  return result + ')';
}

class Printer {
public:
  void block(const Block& statements) {
    ++depth_;
    for (const Stmt& s : statements) statement(s);
    --depth_;
  }
  void line(const std::string& content) { out += std::string(size_t(depth_) * 2, ' ') + content + '\n'; }

  std::string out;

private:
  void statement(const Stmt& s) {
    switch (s.kind) {
    case Kind::Assign:
      return line(fmt::format("v{} = {}", s.target, text(s.a)));
    case Kind::StorePrivate:
      return line(fmt::format("priv{}[{}] = {}", s.target, text(s.a), text(s.b)));
    case Kind::StoreOutput:
      return line(fmt::format("output[{}] = {}", s.target, text(s.a)));
    case Kind::StoreLocal:
      return line(fmt::format("local{}[{}] = {}", s.target, text(s.a), text(s.b)));
    case Kind::AtomicGlobal:
      return line(fmt::format("counters[{}] {}= {}", text(s.a), AtomicNames[s.target], text(s.b)));
    case Kind::AtomicLocal:
      return line(fmt::format("tally[{}] {}= {}", text(s.a), AtomicNames[s.target], text(s.b)));
    case Kind::Barrier:
      return line("barrier");
    case Kind::SubGroupBarrier:
      return line("sub_group_barrier");
    case Kind::Break:
      return line("break");
    case Kind::Continue:
      return line("continue");
    case Kind::Return:
      return line("return " + text(s.a));
    case Kind::SubGroup:
      return line(fmt::format("v{} = sub_group_{}({})", s.target, SubGroupNames[size_t(s.sub_group_op)], text(s.a)));
    case Kind::If:
      line(fmt::format("if {}", text(s.a)));
      block(s.body);
      if (s.other.empty()) return;
      line("else");
      return block(s.other);
    case Kind::For:
    case Kind::DoWhile:
      line(fmt::format("{} v{} < {}", s.kind == Kind::For ? "for" : "do-while", s.target, text(s.a)));
      return block(s.body);
    case Kind::Switch:
      line(fmt::format("switch {}{}", text(s.a), s.falls_through ? " (falls through)" : ""));
      for (const Block& c : s.cases) {
        line("case");
        block(c);
      }
      line("default");
      return block(s.other);
    }
  }

  int depth_ = 0;
};

} // namespace

std::string to_text(const Program& p) {
  Printer printer;
  printer.line(fmt::format("seed {}: groups {}x{}x{} of {}x{}x{}, sub-group {}{}, slots {}", p.seed, p.group_count[0],
                           p.group_count[1], p.group_count[2], p.group_size[0], p.group_size[1], p.group_size[2],
                           p.required_sub_group_size, p.requires_group_size ? ", group size required" : "", p.slots));
  for (size_t f = 0; f < p.functions.size(); ++f) {
    printer.line(fmt::format("function {} ({} parameters)", f, p.functions[f].parameters));
    printer.block(p.functions[f].body);
    printer.line("  result " + text(p.functions[f].result));
  }
  printer.line("kernel");
  printer.block(p.body);
  return printer.out;
}

} // namespace zeroth::random_programs
