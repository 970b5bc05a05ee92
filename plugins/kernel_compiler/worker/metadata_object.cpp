#include "metadata_object.hpp"

#include <cstring>
#include <elf.h>
#include <string>

namespace zeroth::compiler {

std::vector<std::byte> make_section_object(const char* section, std::span<const std::byte> content) {
  // String table: "", the section's name, its own name.
  const std::string names = std::string(1, '\0') + section + '\0' + ".shstrtab" + '\0';
  const size_t content_at = sizeof(Elf64_Ehdr);
  const size_t names_at = content_at + content.size();
  const size_t headers_at = (names_at + names.size() + 7) / 8 * 8;

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_shoff = headers_at;
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;

  Elf64_Shdr sections[3]{};
  sections[1].sh_name = 1;
  sections[1].sh_type = SHT_PROGBITS;
  sections[1].sh_offset = content_at;
  sections[1].sh_size = content.size();
  sections[1].sh_addralign = 1;
  sections[2].sh_name = static_cast<Elf64_Word>(2 + std::strlen(section));
  sections[2].sh_type = SHT_STRTAB;
  sections[2].sh_offset = names_at;
  sections[2].sh_size = names.size();
  sections[2].sh_addralign = 1;

  std::vector<std::byte> object(headers_at + sizeof sections);
  std::memcpy(object.data(), &header, sizeof header);
  if (!content.empty()) std::memcpy(object.data() + content_at, content.data(), content.size());
  std::memcpy(object.data() + names_at, names.data(), names.size());
  std::memcpy(object.data() + headers_at, sections, sizeof sections);
  return object;
}

} // namespace zeroth::compiler
