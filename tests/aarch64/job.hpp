// One kernel run, written by make_jobs on the machine that compiles and read by run_jobs on the one that executes: a
// file of plain values in the byte order of both.
#pragma once

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace zeroth::aarch64 {

struct Buffer {
  enum Elements : uint8_t { Bits, Floats, Doubles };
  uint8_t elements = Bits;
  float tolerance = 0; // relative, of floats and doubles
  std::vector<uint8_t> before, after;
};

// The argument block holds the address of a buffer here.
struct Pointer {
  uint32_t offset = 0, buffer = 0;
};

struct Job {
  std::string symbol;
  uint32_t group_size[3]{}, group_count[3]{}, work_dim = 1;
  uint64_t global_offset[3]{}, local_bytes = 0, scratch_bytes = 0;
  std::vector<uint8_t> block;
  std::vector<Pointer> pointers;
  std::vector<Buffer> buffers;
};

// Calls visit(value) for each plain value and sequence of a job, in the order of the file.
template <class Job, class Visit> void for_each_part(Job& job, Visit visit) {
  visit(job.symbol);
  visit(job.group_size);
  visit(job.group_count);
  visit(job.work_dim);
  visit(job.global_offset);
  visit(job.local_bytes);
  visit(job.scratch_bytes);
  visit(job.block);
  visit(job.pointers);
}

class Writer {
public:
  explicit Writer(std::ostream& out) : out_(out) {}
  template <class T> void operator()(const T& value) {
    if constexpr (requires { value.size(); }) {
      (*this)(uint64_t(value.size()));
      out_.write(reinterpret_cast<const char*>(value.data()), std::streamsize(value.size() * sizeof value[0]));
    } else {
      out_.write(reinterpret_cast<const char*>(&value), sizeof value);
    }
  }

private:
  std::ostream& out_;
};

class Reader {
public:
  explicit Reader(std::istream& in) : in_(in) {}
  template <class T> void operator()(T& value) {
    if constexpr (requires { value.resize(1); }) {
      uint64_t size = 0;
      (*this)(size);
      value.resize(size);
      in_.read(reinterpret_cast<char*>(value.data()), std::streamsize(size * sizeof value[0]));
    } else {
      in_.read(reinterpret_cast<char*>(&value), sizeof value);
    }
  }

private:
  std::istream& in_;
};

template <class Job, class Visit> void for_each_value(Job& job, Visit visit) {
  for_each_part(job, visit);
  uint64_t count = job.buffers.size();
  visit(count);
  if constexpr (!std::is_const_v<Job>) job.buffers.resize(count);
  for (auto& buffer : job.buffers) {
    visit(buffer.elements);
    visit(buffer.tolerance);
    visit(buffer.before);
    visit(buffer.after);
  }
}

inline void write_job(std::ostream& out, const Job& job) { for_each_value(job, Writer(out)); }
inline Job read_job(std::istream& in) {
  Job job;
  for_each_value(job, Reader(in));
  return job;
}

} // namespace zeroth::aarch64
