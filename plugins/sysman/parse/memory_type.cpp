#include "memory_type.hpp"

namespace zeroth::sysman::parse {
namespace {

struct Kind {
  std::string_view word;
  zes_mem_type_t type;
};
// A longer word comes before one that it contains.
constexpr Kind Kinds[] = {
    {"LPDDR5X", ZES_MEM_TYPE_LPDDR5X}, {"LPDDR6", ZES_MEM_TYPE_LPDDR6}, {"LPDDR5", ZES_MEM_TYPE_LPDDR5},
    {"LPDDR4", ZES_MEM_TYPE_LPDDR4},   {"LPDDR3", ZES_MEM_TYPE_LPDDR3}, {"LPDDR", ZES_MEM_TYPE_LPDDR},
    {"GDDR7", ZES_MEM_TYPE_GDDR7},     {"GDDR6X", ZES_MEM_TYPE_GDDR6X}, {"GDDR6", ZES_MEM_TYPE_GDDR6},
    {"GDDR5X", ZES_MEM_TYPE_GDDR5X},   {"GDDR5", ZES_MEM_TYPE_GDDR5},   {"GDDR4", ZES_MEM_TYPE_GDDR4},
    {"DDR5", ZES_MEM_TYPE_DDR5},       {"DDR4", ZES_MEM_TYPE_DDR4},     {"DDR3", ZES_MEM_TYPE_DDR3},
    {"DDR2", ZES_MEM_TYPE_DDR2},       {"DDR", ZES_MEM_TYPE_DDR},       {"HBM4", ZES_MEM_TYPE_HBM4},
    {"HBM3E", ZES_MEM_TYPE_HBM3E},     {"HBM3", ZES_MEM_TYPE_HBM3},     {"HBM2E", ZES_MEM_TYPE_HBM2E},
    {"HBM2", ZES_MEM_TYPE_HBM2},       {"HBM", ZES_MEM_TYPE_HBM}};

} // namespace

std::optional<zes_mem_type_t> memory_type(std::string_view text) {
  for (const Kind& kind : Kinds)
    if (text.find(kind.word) != std::string_view::npos) return kind.type;
  return std::nullopt;
}

} // namespace zeroth::sysman::parse
