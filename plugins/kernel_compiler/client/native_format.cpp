#include "native_format.hpp"

#include "wire.hpp"

#include <algorithm>

namespace zeroth::compiler {
namespace {

constexpr char magic[8] = {'Z', 'E', 'R', 'O', 'T', 'H', 'K', 1};
// Raised whenever the order or meaning of the fields below changes.
constexpr uint32_t metadata_version = 1;

[[noreturn]] void invalid(const std::string& why) {
  throw CompileError(CompileError::Kind::InvalidNativeBinary, "native binary: " + why);
}

void write(WireWriter& out, const ArgumentInfo& a) {
  out.number(a.kind);
  out.number(a.address_space);
  out.number(a.access);
  out.number(a.size);
  out.number(a.alignment);
  out.number(a.offset);
  out.text(a.name);
  out.text(a.type_name);
  out.text(a.type_qualifiers);
}

ArgumentInfo read_argument(WireReader& in) {
  ArgumentInfo a;
  a.kind = in.number(ArgumentKind::Sampler);
  a.address_space = in.number(AddressSpace::Generic);
  a.access = in.number(Access::ReadWrite);
  a.size = in.number<uint32_t>();
  a.alignment = in.number<uint32_t>();
  a.offset = in.number<uint32_t>();
  a.name = in.text();
  a.type_name = in.text();
  a.type_qualifiers = in.text();
  return a;
}

void write(WireWriter& out, const ModuleMetadata::Kernel& kernel) {
  const KernelInfo& k = kernel.info;
  out.text(k.name);
  out.text(kernel.symbol);
  out.list(k.arguments, [&](const ArgumentInfo& a) { write(out, a); });
  out.number(k.argument_block_size);
  for (uint32_t n : k.required_group_size) out.number(n);
  for (uint32_t n : k.group_size_hint) out.number(n);
  for (uint32_t n : {k.required_sub_group_size, k.sub_group_size, k.width}) out.number(n);
  out.number(k.engine);
  for (bool b : {k.uses_barriers, k.uses_printf, k.uses_double}) out.number(uint8_t{b});
  for (uint64_t n : {k.local_bytes, k.private_bytes, k.spill_bytes, k.scratch_fixed_bytes, k.scratch_slice_bytes})
    out.number(n);
  out.text(k.attributes);
}

ModuleMetadata::Kernel read_kernel(WireReader& in) {
  ModuleMetadata::Kernel kernel;
  KernelInfo& k = kernel.info;
  k.name = in.text();
  kernel.symbol = in.text();
  k.arguments = in.list<ArgumentInfo>([&] { return read_argument(in); });
  k.argument_block_size = in.number<uint32_t>();
  for (uint32_t& n : k.required_group_size) n = in.number<uint32_t>();
  for (uint32_t& n : k.group_size_hint) n = in.number<uint32_t>();
  for (uint32_t* n : {&k.required_sub_group_size, &k.sub_group_size, &k.width}) *n = in.number<uint32_t>();
  k.engine = in.number(Engine::Fiber);
  for (bool* b : {&k.uses_barriers, &k.uses_printf, &k.uses_double}) *b = in.flag();
  for (uint64_t* n : {&k.local_bytes, &k.private_bytes, &k.spill_bytes, &k.scratch_fixed_bytes, &k.scratch_slice_bytes})
    *n = in.number<uint64_t>();
  k.attributes = in.text();
  if (k.width == 0) throw WireError("kernel of width 0");
  return kernel;
}

void write(WireWriter& out, const ModuleMetadata::Symbol& s) {
  out.text(s.info.name);
  out.number(s.info.kind);
  out.number(s.info.size);
  out.text(s.symbol);
}

ModuleMetadata::Symbol read_symbol(WireReader& in) {
  ModuleMetadata::Symbol s;
  s.info.name = in.text();
  s.info.kind = in.number(SymbolKind::Function);
  s.info.size = in.number<uint64_t>();
  s.symbol = in.text();
  return s;
}

ModuleMetadata decode(Bytes data) {
  WireReader in(data);
  ModuleMetadata m;
  if (in.number<uint32_t>() != metadata_version) throw WireError("made by another version of the compiler");
  m.abi_version = in.number<uint32_t>();
  m.compiler_id = in.text();
  m.request_key = in.text();
  m.cpu.name = in.text();
  m.cpu.features = in.text();
  m.build_log = in.text();
  m.kernels = in.list<ModuleMetadata::Kernel>([&] { return read_kernel(in); });
  m.exports = in.list<ModuleMetadata::Symbol>([&] { return read_symbol(in); });
  m.imports = in.list<ModuleMetadata::Symbol>([&] { return read_symbol(in); });
  m.constants = in.list<SpecConstantInfo>([&] {
    const auto id = in.number<uint32_t>();
    return SpecConstantInfo{id, in.number<uint32_t>()};
  });
  return m;
}

} // namespace

std::vector<std::byte> encode(const ModuleMetadata& m) {
  WireWriter out;
  out.number(metadata_version);
  out.number(m.abi_version);
  out.text(m.compiler_id);
  out.text(m.request_key);
  out.text(m.cpu.name);
  out.text(m.cpu.features);
  out.text(m.build_log);
  out.list(m.kernels, [&](const auto& k) { write(out, k); });
  out.list(m.exports, [&](const auto& s) { write(out, s); });
  out.list(m.imports, [&](const auto& s) { write(out, s); });
  out.list(m.constants, [&](const SpecConstantInfo& c) {
    out.number(c.id);
    out.number(c.size);
  });
  return out.take();
}

std::vector<std::byte> make_footer(Bytes shared_object, uint64_t metadata_offset, uint64_t metadata_size) {
  WireWriter out;
  for (char c : magic) out.number(static_cast<uint8_t>(c));
  out.number(metadata_offset);
  out.number(metadata_size);
  out.number(uint64_t{shared_object.size() + footer_size});
  auto footer = out.take();
  Hasher hasher;
  hasher.update(shared_object);
  hasher.update(footer);
  const Digest digest = hasher.finish();
  footer.insert(footer.end(), digest.begin(), digest.end());
  return footer;
}

ModuleMetadata read_native(Bytes file) {
  if (file.size() < footer_size) invalid("too short");
  const Bytes footer = file.last(footer_size);
  if (!std::ranges::equal(footer.first(sizeof magic), std::as_bytes(std::span(magic)))) invalid("not made by Zeroth");
  WireReader in(footer.subspan(sizeof magic));
  const auto offset = in.number<uint64_t>();
  const auto size = in.number<uint64_t>();
  if (in.number<uint64_t>() != file.size()) invalid("truncated or padded");
  if (!std::ranges::equal(digest_of(file.first(file.size() - sizeof(Digest))), footer.last(sizeof(Digest))))
    invalid("checksum does not match: the data is damaged");
  const uint64_t limit = file.size() - footer_size;
  if (offset > limit || size > limit - offset) invalid("metadata out of range");
  try {
    return decode(file.subspan(offset, size));
  } catch (const WireError& error) {
    invalid(error.what());
  }
}

bool is_undamaged(Bytes file) {
  try {
    read_native(file);
    return true;
  } catch (const CompileError&) {
    return false;
  }
}

} // namespace zeroth::compiler
