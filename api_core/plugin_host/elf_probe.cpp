#include "plugin_host/elf_probe.hpp"

#include <bit>
#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sdk/zeroth_plugin.h"

namespace zeroth {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Dynamic = ElfW(Dyn);
using Symbol = ElfW(Sym);

// What the compiler of this file builds for.
#if defined(__x86_64__)
constexpr std::uint16_t own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t own_machine = EM_AARCH64;
#elif defined(__riscv)
constexpr std::uint16_t own_machine = EM_RISCV;
#elif defined(__powerpc64__)
constexpr std::uint16_t own_machine = EM_PPC64;
#else
#error "name this processor's ELF machine"
#endif
constexpr unsigned char own_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr unsigned char own_order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

// A read-only mapping of a file.
class Mapping {
public:
  explicit Mapping(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
      error_ = errno;
      return;
    }
    struct stat status {};
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
      error_ = EINVAL;
    else if (status.st_size > 0)
      map(file, static_cast<std::size_t>(status.st_size));
    ::close(file);
  }
  ~Mapping() {
    if (data_) ::munmap(data_, size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  int error() const { return error_; }
  std::size_t size() const { return size_; }

  // `count` objects at an offset in the file; empty when they are not wholly inside. Copies nothing.
  template <class T> std::span<const T> at(std::uint64_t offset, std::uint64_t count = 1) const {
    if (offset > size_ || count > (size_ - offset) / sizeof(T) || offset % alignof(T) != 0) return {};
    return {reinterpret_cast<const T*>(static_cast<const char*>(data_) + offset), static_cast<std::size_t>(count)};
  }

private:
  void map(int file, std::size_t size) {
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED)
      error_ = errno;
    else
      data_ = data, size_ = size;
  }

  void* data_ = nullptr;
  std::size_t size_ = 0;
  int error_ = 0;
};

// The parts of a shared object's dynamic section that symbols are found with.
class SharedObject {
public:
  explicit SharedObject(const Mapping& file) : file_(file) {}

  // False when the tables do not lie inside of the file; `detail` says which.
  bool read(const Header& header, std::string& detail) {
    segments_ = header.e_phentsize == sizeof(Segment) ? file_.at<Segment>(header.e_phoff, header.e_phnum)
                                                      : std::span<const Segment>();
    if (segments_.empty()) return detail = "its program headers are damaged", false;
    for (const Segment& segment : segments_)
      if (segment.p_type == PT_LOAD &&
          (segment.p_offset > file_.size() || segment.p_filesz > file_.size() - segment.p_offset))
        return detail = "the file ends before its contents do", false;
    for (const Segment& segment : segments_)
      if (segment.p_type == PT_DYNAMIC)
        read_dynamic(file_.at<Dynamic>(segment.p_offset, segment.p_filesz / sizeof(Dynamic)));
    if (!symbols_ || !strings_) return detail = "it has no dynamic symbols", false;
    return true;
  }

  // A defined symbol by name.
  const Symbol* find(std::string_view name) const { return hash_ ? find_hashed(name) : find_in_order(name); }

  // Linkers of the old style give the number of symbols in their hash table.
  const Symbol* find_in_order(std::string_view name) const {
    const auto head = words(old_hash_, 2); // buckets, symbols
    for (std::uint32_t i = 0; !head.empty() && i < head[1]; ++i)
      if (const Symbol* symbol = symbol_named(i, name)) return symbol;
    return nullptr;
  }

  const Symbol* find_hashed(std::string_view name) const {
    const auto head = words(hash_, 4); // buckets, first symbol, bloom words, bloom shift
    if (head.empty() || head[0] == 0) return nullptr;
    const std::uint64_t bloom_bytes = std::uint64_t{head[2]} * sizeof(ElfW(Addr));
    const std::uint64_t buckets = hash_ + 16 + bloom_bytes;
    const std::uint32_t hash = gnu_hash(name);
    const auto bucket = words(buckets + 4ull * (hash % head[0]), 1);
    if (bucket.empty() || bucket[0] < head[1]) return nullptr;
    const std::uint64_t chains = buckets + 4ull * head[0];
    for (std::uint64_t i = bucket[0];; ++i) {
      const auto chain = words(chains + 4 * (i - head[1]), 1);
      if (chain.empty()) return nullptr;
      if ((chain[0] | 1) == (hash | 1))
        if (const Symbol* symbol = symbol_named(i, name)) return symbol;
      if (chain[0] & 1) return nullptr;
    }
  }

  // `count` words at a virtual address.
  std::span<const std::uint32_t> words(std::uint64_t address, std::uint64_t count) const {
    const auto offset = offset_of(address, count * 4);
    return offset ? file_.at<std::uint32_t>(*offset, count) : std::span<const std::uint32_t>();
  }

private:
  void read_dynamic(std::span<const Dynamic> entries) {
    for (const Dynamic& entry : entries) {
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_SYMTAB) symbols_ = entry.d_un.d_ptr;
      if (entry.d_tag == DT_STRTAB) strings_ = entry.d_un.d_ptr;
      if (entry.d_tag == DT_STRSZ) string_bytes_ = entry.d_un.d_val;
      if (entry.d_tag == DT_GNU_HASH) hash_ = entry.d_un.d_ptr;
      if (entry.d_tag == DT_HASH) old_hash_ = entry.d_un.d_ptr;
    }
  }

  std::optional<std::uint64_t> offset_of(std::uint64_t address, std::uint64_t size) const {
    for (const Segment& s : segments_)
      if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr <= s.p_filesz &&
          size <= s.p_filesz - (address - s.p_vaddr))
        return s.p_offset + (address - s.p_vaddr);
    return std::nullopt;
  }

  const Symbol* symbol_named(std::uint64_t index, std::string_view name) const {
    const auto offset = offset_of(symbols_ + index * sizeof(Symbol), sizeof(Symbol));
    const auto symbol = offset ? file_.at<Symbol>(*offset) : std::span<const Symbol>();
    if (symbol.empty() || symbol[0].st_shndx == SHN_UNDEF || symbol[0].st_name > string_bytes_) return nullptr;
    if (name.size() >= string_bytes_ - symbol[0].st_name) return nullptr;
    const auto text_offset = offset_of(strings_ + symbol[0].st_name, name.size() + 1);
    const auto text = text_offset ? file_.at<char>(*text_offset, name.size() + 1) : std::span<const char>();
    const bool same = !text.empty() && text.back() == '\0' && name == std::string_view(text.data(), name.size());
    return same ? symbol.data() : nullptr;
  }

  static std::uint32_t gnu_hash(std::string_view name) {
    std::uint32_t hash = 5381;
    for (char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
    return hash;
  }

  const Mapping& file_;
  std::span<const Segment> segments_;
  std::uint64_t symbols_ = 0, strings_ = 0, string_bytes_ = 0, hash_ = 0, old_hash_ = 0;
};

// NotElf, OtherMachine or NotShared with its detail; Shared when the header is one of ours.
ElfKind judge_header(const Mapping& file, std::string& detail) {
  const auto ident = file.at<unsigned char>(0, EI_NIDENT);
  if (ident.empty() || std::memcmp(ident.data(), ELFMAG, SELFMAG) != 0)
    return detail = "it is not an ELF file", ElfKind::NotElf;
  if (ident[EI_CLASS] != own_class)
    return detail = fmt::format("it is built for {}-bit processors", ident[EI_CLASS] == ELFCLASS32 ? 32 : 64),
           ElfKind::OtherMachine;
  if (ident[EI_DATA] != own_order) return detail = "it is built for the other byte order", ElfKind::OtherMachine;
  const auto header = file.at<Header>(0);
  if (header.empty()) return detail = "the file ends inside of its header", ElfKind::Damaged;
  if (header[0].e_machine != own_machine)
    return detail = fmt::format("it is built for ELF machine {}, this is {}", header[0].e_machine, own_machine),
           ElfKind::OtherMachine;
  if (header[0].e_type != ET_DYN) return detail = "it is no shared object", ElfKind::NotShared;
  return ElfKind::Shared;
}

} // namespace

ElfProbe probe_elf(const std::string& path) {
  ElfProbe probe;
  const Mapping file(path);
  if (file.error()) {
    probe.detail = std::strerror(file.error());
    return probe;
  }
  probe.kind = judge_header(file, probe.detail);
  if (probe.kind != ElfKind::Shared) return probe;
  SharedObject object(file);
  if (!object.read(file.at<Header>(0)[0], probe.detail)) {
    probe.kind = ElfKind::Damaged;
    return probe;
  }
  if (const Symbol* symbol = object.find(ZEROTH_PLUGIN_SYMBOL))
    if (const auto words = object.words(symbol->st_value, 4); !words.empty())
      probe.descriptor = {words[0], words[1], words[2], words[3]};
  probe.exports_driver = object.find("zeGetGlobalProcAddrTable") || object.find("zeGetDriverProcAddrTable");
  return probe;
}

} // namespace zeroth
