#include "linkable_native.hpp"

#include "digest.hpp"
#include "wire.hpp"

#include <algorithm>

namespace zeroth::compiler {
namespace {

constexpr char magic[8] = {'Z', 'E', 'R', 'O', 'T', 'H', 'L', 1};
constexpr size_t footer_size = sizeof magic + sizeof(uint64_t) + sizeof(Digest);

[[noreturn]] void invalid(const char* why) {
  throw CompileError(CompileError::Kind::InvalidNativeBinary, std::string("native binary, inputs of a link: ") + why);
}

void write(WireWriter& out, const LinkInput& input) {
  out.bytes(input.spirv);
  out.text(input.options);
  out.list(input.constants, [&](const SpecConstant& constant) {
    out.number(constant.id);
    out.bytes(constant.value);
  });
}

std::vector<std::byte> copy_of(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

LinkInput read_input(WireReader& in) {
  LinkInput input;
  input.spirv = copy_of(in.bytes());
  input.options = in.text();
  input.constants = in.list<SpecConstant>([&] {
    const auto id = in.number<uint32_t>();
    return SpecConstant{id, copy_of(in.bytes())};
  });
  return input;
}

bool has_inputs(Bytes file) {
  return file.size() >= footer_size &&
         std::ranges::equal(file.last(footer_size).first(sizeof magic), std::as_bytes(std::span(magic)));
}

} // namespace

std::vector<std::byte> with_link_inputs(Bytes native, std::span<const LinkInput> inputs) {
  WireWriter out;
  out.list(inputs, [&](const LinkInput& input) { write(out, input); });
  for (char c : magic) out.number(static_cast<uint8_t>(c));
  out.number(uint64_t{native.size()});
  std::vector<std::byte> file = copy_of(native);
  const auto rest = out.take();
  file.insert(file.end(), rest.begin(), rest.end());
  const Digest digest = digest_of(file);
  file.insert(file.end(), digest.begin(), digest.end());
  return file;
}

LinkableNative split_link_inputs(Bytes file) {
  if (!has_inputs(file)) return {file, {}};
  if (!std::ranges::equal(digest_of(file.first(file.size() - sizeof(Digest))), file.last(sizeof(Digest))))
    invalid("checksum does not match: the data is damaged");
  const Bytes content = file.first(file.size() - footer_size);
  const auto size = WireReader(file.last(footer_size).subspan(sizeof magic)).number<uint64_t>();
  if (size > content.size()) invalid("out of range");
  try {
    WireReader in(content.subspan(size));
    return {content.first(size), in.list<LinkInput>([&] { return read_input(in); })};
  } catch (const WireError& error) {
    invalid(error.what());
  }
}

} // namespace zeroth::compiler
