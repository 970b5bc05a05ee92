// printf of running kernels: formats as OpenCL C says (vectors, no locale) and hands the text to the device.
#include "../../kernel_abi.h"
#include "decimal.hpp"

namespace zeroth::runtime {
namespace {

using u64 = unsigned long;
using i64 = long;

// Collects text; what does not fit at once goes out in pieces.
class Output {
public:
  Output(const zeroth_launch* launch, zeroth_worker* worker) : launch_(launch), worker_(worker) {}
  void put(char c) {
    if (used_ == sizeof buffer_) flush();
    buffer_[used_++] = c;
  }
  void repeat(char c, int count) {
    for (; count > 0; --count) put(c);
  }
  // A full piece says that more comes: behind a last one that is full by chance stands an empty one.
  void finish() {
    const bool full = used_ == sizeof buffer_;
    flush();
    if (full) worker_->services->print(launch_, buffer_, 0);
  }

private:
  void flush() {
    if (used_) worker_->services->print(launch_, buffer_, used_);
    used_ = 0;
  }

  const zeroth_launch* launch_;
  zeroth_worker* worker_;
  size_t used_ = 0;
  char buffer_[1024];
};

struct Spec {
  bool left = false, plus = false, space = false, alternate = false, zero = false;
  int width = 0, precision = -1, vector = 1, bits = 32;
  char conversion = 0;
  bool upper() const { return conversion >= 'A' && conversion <= 'Z'; }
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
int parse_number(const char*& at) {
  constexpr int most = 4096; // wider fields are nonsense and would only fill memory
  int value = 0;
  for (; is_digit(*at); ++at) value = value < most ? value * 10 + (*at - '0') : most;
  return value;
}

void parse_flags(const char*& at, Spec& spec) {
  for (;; ++at) {
    switch (*at) {
    case '-':
      spec.left = true;
      break;
    case '+':
      spec.plus = true;
      break;
    case ' ':
      spec.space = true;
      break;
    case '#':
      spec.alternate = true;
      break;
    case '0':
      spec.zero = true;
      break;
    default:
      return;
    }
  }
}

// Reads what follows a '%', up to and including the conversion.
Spec parse(const char*& at) {
  Spec spec;
  parse_flags(at, spec);
  spec.width = parse_number(at);
  if (*at == '.') {
    ++at;
    spec.precision = parse_number(at);
  }
  if (*at == 'v') {
    ++at;
    spec.vector = parse_number(at);
  }
  for (;; ++at) {
    if (*at == 'h' && at[1] == 'l') { // 32-bit elements of vectors
      ++at;
      spec.bits = 32;
    } else if (*at == 'h') {
      spec.bits = spec.bits == 16 ? 8 : 16;
    } else if (*at == 'l' || *at == 'j' || *at == 'z' || *at == 't') {
      spec.bits = 64;
    } else {
      break;
    }
  }
  spec.conversion = *at ? *at++ : 0;
  return spec;
}

// Sign or prefix, zeros, digits: padded to the width.
void put_padded(Output& out, const Spec& spec, const char* prefix, int zeros, const char* text, int length,
                bool numeric) {
  int prefix_length = 0;
  while (prefix[prefix_length]) ++prefix_length;
  int padding = spec.width - prefix_length - zeros - length;
  if (numeric && spec.zero && !spec.left && padding > 0) {
    zeros += padding;
    padding = 0;
  }
  if (!spec.left) out.repeat(' ', padding);
  for (int i = 0; i < prefix_length; ++i) out.put(prefix[i]);
  out.repeat('0', zeros);
  for (int i = 0; i < length; ++i) out.put(text[i]);
  if (spec.left) out.repeat(' ', padding);
}

const char* sign_text(const Spec& spec, bool negative) {
  return negative ? "-" : spec.plus ? "+" : spec.space ? " " : "";
}

void print_integer(Output& out, const Spec& spec, u64 slot) {
  const int unused = 64 - spec.bits;
  const bool is_signed = spec.conversion == 'd' || spec.conversion == 'i';
  const i64 value = i64(slot << unused) >> unused;
  const bool negative = is_signed && value < 0;
  u64 rest = negative ? -u64(value) : is_signed ? u64(value) : slot << unused >> unused;
  const bool zero = rest == 0;
  const unsigned radix = spec.conversion == 'o' ? 8 : spec.conversion == 'x' || spec.conversion == 'X' ? 16 : 10;
  const char* digits = spec.upper() ? "0123456789ABCDEF" : "0123456789abcdef";
  char text[24];
  int length = 0;
  for (; rest; rest /= radix) text[sizeof text - ++length] = digits[rest % radix];
  int zeros = (spec.precision < 0 ? 1 : spec.precision) - length;
  if (spec.alternate && radix == 8 && zeros <= 0 && !(zero && length)) zeros = 1;
  const char* prefix = is_signed ? sign_text(spec, negative) : "";
  if (spec.alternate && radix == 16 && !zero) prefix = spec.upper() ? "0X" : "0x";
  Spec padded = spec;
  padded.zero = spec.zero && spec.precision < 0;
  put_padded(out, padded, prefix, zeros > 0 ? zeros : 0, text + sizeof text - length, length, true);
}

// Writes digits and point of a rounded number from power `high` down to `-places`.
template <class Put> void write_fixed(const Decimal& d, int high, int places, bool point, Put put) {
  for (int power = high; power >= 0; --power) put(char('0' + d.digit(power)));
  if (places > 0 || point) put('.');
  for (int power = -1; power >= -places; --power) put(char('0' + d.digit(power)));
}

struct FloatLayout {
  bool scientific;
  int places, exponent;
};

// Rounds `d` as the conversion wants it and says how it is to be written.
FloatLayout lay_out(Decimal& d, const Spec& spec) {
  const char kind = char(spec.conversion | 0x20);
  const int precision = spec.precision < 0 ? 6 : spec.precision;
  if (kind == 'f') {
    d.round(precision);
    return {false, precision, d.exponent()};
  }
  const int significant = kind == 'e' ? precision + 1 : precision ? precision : 1;
  d.round(significant - 1 - d.exponent());
  const int exponent = d.exponent();
  if (kind == 'e') return {true, precision, exponent};
  const bool scientific = exponent < -4 || exponent >= significant;
  int places = scientific ? significant - 1 : significant - 1 - exponent;
  const int last = scientific ? exponent : 0;
  while (!spec.alternate && places > 0 && d.digit(last - places) == 0) --places;
  return {scientific, places, exponent};
}

template <class Put> void write_float(const Decimal& d, const FloatLayout& layout, const Spec& spec, Put put) {
  if (!layout.scientific)
    return write_fixed(d, layout.exponent > 0 ? layout.exponent : 0, layout.places, spec.alternate, put);
  put(char('0' + d.digit(layout.exponent)));
  if (layout.places > 0 || spec.alternate) put('.');
  for (int i = 1; i <= layout.places; ++i) put(char('0' + d.digit(layout.exponent - i)));
  const int magnitude = layout.exponent < 0 ? -layout.exponent : layout.exponent;
  put(spec.upper() ? 'E' : 'e');
  put(layout.exponent < 0 ? '-' : '+');
  if (magnitude >= 100) put(char('0' + magnitude / 100));
  put(char('0' + magnitude / 10 % 10));
  put(char('0' + magnitude % 10));
}

// Runs `write` twice: to count, then to print between the padding.
template <class Write> void print_counted(Output& out, const Spec& spec, const char* prefix, Write write) {
  int length = 0;
  write([&](char) { ++length; });
  int prefix_length = 0;
  while (prefix[prefix_length]) ++prefix_length;
  const int padding = spec.width - prefix_length - length;
  if (!spec.left && !spec.zero) out.repeat(' ', padding);
  for (int i = 0; i < prefix_length; ++i) out.put(prefix[i]);
  if (!spec.left && spec.zero) out.repeat('0', padding);
  write([&](char c) { out.put(c); });
  if (spec.left) out.repeat(' ', padding);
}

template <class Put> void write_hexadecimal(u64 bits, const Spec& spec, Put put) {
  u64 fraction = bits & ((u64{1} << 52) - 1);
  int exponent = int(bits >> 52 & 0x7ff);
  u64 lead = exponent ? 1 : 0;
  exponent = exponent ? exponent - 1023 : fraction ? -1022 : 0;
  int places = spec.precision;
  if (places >= 0 && places < 13) {
    const int drop = (13 - places) * 4;
    u64 all = lead << 52 | fraction;
    const u64 lost = all & ((u64{1} << drop) - 1), half = u64{1} << (drop - 1);
    all >>= drop;
    all += lost > half || (lost == half && (all & 1));
    all <<= drop;
    lead = all >> 52;
    fraction = all & ((u64{1} << 52) - 1);
  }
  if (places < 0)
    for (places = 13; places > 0 && !(fraction >> (52 - 4 * places) & 15); --places) {
    }
  const char* digits = spec.upper() ? "0123456789ABCDEF" : "0123456789abcdef";
  put(char('0' + lead));
  if (places > 0 || spec.alternate) put('.');
  for (int i = 1; i <= places; ++i) put(i <= 13 ? digits[fraction >> (52 - 4 * i) & 15] : '0');
  put(spec.upper() ? 'P' : 'p');
  put(exponent < 0 ? '-' : '+');
  int magnitude = exponent < 0 ? -exponent : exponent, unit = 1;
  while (magnitude / unit >= 10) unit *= 10;
  for (; unit; unit /= 10) put(char('0' + magnitude / unit % 10));
}

void print_float(Output& out, const Spec& spec, u64 slot) {
  const double value = __builtin_bit_cast(double, slot);
  const char* sign = sign_text(spec, slot >> 63);
  if (!(__builtin_fabs(value) < __builtin_inf())) {
    const char* text = value != value ? (spec.upper() ? "NAN" : "nan") : (spec.upper() ? "INF" : "inf");
    return put_padded(out, spec, sign, 0, text, 3, false);
  }
  if ((spec.conversion | 0x20) == 'a') {
    const char prefix[4] = {sign[0] ? sign[0] : '0',
                            sign[0]        ? '0'
                            : spec.upper() ? 'X'
                                           : 'x',
                            sign[0] ? (spec.upper() ? 'X' : 'x') : '\0', '\0'};
    return print_counted(out, spec, prefix, [&](auto put) { write_hexadecimal(slot, spec, put); });
  }
  Decimal d(value);
  const FloatLayout layout = lay_out(d, spec);
  print_counted(out, spec, sign, [&](auto put) { write_float(d, layout, spec, put); });
}

void print_text(Output& out, const Spec& spec, u64 slot) {
  const char* text = reinterpret_cast<const char*>(slot);
  if (!text) text = "(null)";
  int length = 0;
  while ((spec.precision < 0 || length < spec.precision) && text[length]) ++length;
  put_padded(out, spec, "", 0, text, length, false);
}

void print_one(Output& out, const Spec& spec, u64 slot) {
  switch (spec.conversion) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    return print_integer(out, spec, slot);
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    return print_float(out, spec, slot);
  case 'c': {
    const char c = char(slot);
    return put_padded(out, spec, "", 0, &c, 1, false);
  }
  case 's':
    return print_text(out, spec, slot);
  case 'p': {
    Spec pointer = spec;
    pointer.conversion = 'x';
    pointer.bits = 64;
    pointer.alternate = true;
    return print_integer(out, pointer, slot);
  }
  default:
    return;
  }
}

} // namespace
} // namespace zeroth::runtime

// One slot per vector component: integers sign-extended, floats as doubles, pointers as addresses. A format that asks
// for more than there is prints zeros.
extern "C" int zeroth_print_format(const zeroth_launch* launch, zeroth_worker* worker, const char* format,
                                   const unsigned long* slots, unsigned count) {
  using namespace zeroth::runtime;
  Output out(launch, worker);
  unsigned used = 0;
  for (const char* at = format; *at;) {
    if (*at != '%') {
      out.put(*at++);
      continue;
    }
    ++at;
    if (*at == '%') {
      out.put(*at++);
      continue;
    }
    const Spec spec = parse(at);
    for (int i = 0; i < spec.vector; ++i) {
      if (i) out.put(',');
      print_one(out, spec, used < count ? slots[used] : 0);
      ++used;
    }
  }
  out.finish();
  return 0;
}
