#include "link_object.hpp"

#include "../client/memory_file.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <lld/Common/CommonLinkerContext.h>
#include <lld/Common/Driver.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/raw_ostream.h>

LLD_HAS_DRIVER(elf)

namespace zeroth::compiler {
namespace {

using Elf = llvm::object::ELFFile<llvm::object::ELF64LE>;

// What code generation may call on its own and every host has loaded.
constexpr std::string_view libc_symbols[] = {"memcpy", "memmove", "memset", "memcmp"};

template <typename T> T checked(llvm::Expected<T> value) {
  if (!value) throw BuildError("linked file: " + llvm::toString(value.takeError()));
  return std::move(*value);
}

Elf elf_of(Bytes file) {
  return checked(Elf::create(llvm::StringRef(reinterpret_cast<const char*>(file.data()), file.size())));
}

std::string path_of(const Descriptor& file) { return "/proc/self/fd/" + std::to_string(file.get()); }

// lld replaces named output files by rename, which has no meaning for a file without a name; to "-" it simply writes.
class StandardOutput {
public:
  explicit StandardOutput(int file) : before_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) { dup2(file, STDOUT_FILENO); }
  ~StandardOutput() {
    if (before_) dup2(before_.get(), STDOUT_FILENO);
  }

private:
  Descriptor before_;
};

std::string run_lld(std::vector<std::string> arguments) {
  std::vector<const char*> raw;
  for (const std::string& argument : arguments) raw.push_back(argument.c_str());
  std::string messages;
  llvm::raw_string_ostream out(messages);
  const bool linked = lld::elf::link(raw, out, out, /*exitEarly=*/false, /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  if (!linked) throw BuildError("link: " + messages);
  return messages;
}

void refuse_undefined(const Elf& elf) {
  std::string missing;
  const auto sections = checked(elf.sections());
  for (const auto& section : sections) {
    if (section.sh_type != llvm::ELF::SHT_DYNSYM) continue;
    const auto names = checked(elf.getStringTableForSymtab(section));
    const auto symbols = checked(elf.symbols(&section));
    for (const auto& symbol : symbols) {
      if (symbol.st_shndx != llvm::ELF::SHN_UNDEF || symbol.st_name == 0) continue;
      const auto name = checked(symbol.getName(names));
      if (std::ranges::find(libc_symbols, std::string_view(name)) == std::end(libc_symbols))
        missing += (missing.empty() ? "" : ", ") + name.str();
    }
  }
  if (!missing.empty()) throw BuildError("undefined symbols: " + missing);
}

LinkOutput link_output = LinkOutput::StandardOutput;

void run_and_report(const std::vector<std::string>& arguments, BuildLog& log) {
  if (const std::string messages = run_lld(arguments); !messages.empty()) log.line(messages);
}

std::vector<std::byte> link_to_standard_output(std::vector<std::string> arguments, BuildLog& log) {
  const Descriptor output = make_memory_file("linked");
  arguments.insert(arguments.end(), {"-o", "-"});
  {
    const StandardOutput redirected(output.get());
    run_and_report(arguments, log);
  }
  return read_all(output.get());
}

class TemporaryFolder {
public:
  TemporaryFolder() {
    const char* parent = secure_getenv("TMPDIR");
    path_ = std::string(parent && *parent ? parent : P_tmpdir) + "/zeroth-XXXXXX";
    if (!mkdtemp(path_.data())) throw BuildError("cannot create a temporary folder: " + path_);
  }
  ~TemporaryFolder() {
    unlink(file().c_str());
    rmdir(path_.c_str());
  }
  std::string file() const { return path_ + "/linked"; }

private:
  std::string path_;
};

std::vector<std::byte> link_to_folder(std::vector<std::string> arguments, BuildLog& log) {
  const TemporaryFolder folder;
  arguments.insert(arguments.end(), {"-o", folder.file()});
  run_and_report(arguments, log);
  const Descriptor output(open(folder.file().c_str(), O_RDONLY | O_CLOEXEC));
  if (!output) throw BuildError("link: the result cannot be read");
  return read_all(output.get());
}

} // namespace

void set_link_output(LinkOutput output) { link_output = output; }

std::vector<std::byte> link_shared_object(std::span<const Bytes> inputs, BuildLog& log) {
  std::vector<std::string> arguments = {
      "ld.lld", "-shared", "-Bsymbolic",  "--threads=1", "--gc-sections", "--build-id=none", "--hash-style=gnu", "-z",
      "now",    "-z",      "noexecstack", "-z",          "undefs"};
  std::vector<Descriptor> files;
  for (const Bytes& input : inputs) {
    files.push_back(make_memory_file("object"));
    write_all(files.back().get(), input);
    arguments.push_back(path_of(files.back()));
  }
  std::vector<std::byte> file = link_output == LinkOutput::StandardOutput ? link_to_standard_output(arguments, log)
                                                                          : link_to_folder(arguments, log);
  refuse_undefined(elf_of(file));
  return file;
}

bool exports_symbol(Bytes object, const std::string& name) {
  const Elf elf = elf_of(object);
  const auto sections = checked(elf.sections());
  for (const auto& section : sections) {
    if (section.sh_type != llvm::ELF::SHT_SYMTAB) continue;
    const auto names = checked(elf.getStringTableForSymtab(section));
    const auto symbols = checked(elf.symbols(&section));
    for (const auto& symbol : symbols)
      if (symbol.st_shndx != llvm::ELF::SHN_UNDEF && symbol.getBinding() != llvm::ELF::STB_LOCAL &&
          symbol.getVisibility() == llvm::ELF::STV_DEFAULT && checked(symbol.getName(names)) == name)
        return true;
  }
  return false;
}

SectionRange find_section(Bytes shared_object, const char* name) {
  const Elf elf = elf_of(shared_object);
  const auto sections = checked(elf.sections());
  for (const auto& section : sections)
    if (checked(elf.getSectionName(section)) == name) return {section.sh_offset, section.sh_size};
  throw BuildError(std::string("linked file has no section ") + name);
}

} // namespace zeroth::compiler
