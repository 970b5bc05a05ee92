// Turns private memory into shared memory at the same addresses while others use it.
//
// Why at all: private pages come in huge pages and cost no descriptor, so that is what every allocation begins as; few
// are ever exported. When one is, its contents move to a file. Meanwhile the range is write-protected: reads go on, a
// thread that writes waits in a fault handler until the file's pages are in place. Only a system call of another thread
// that writes into the range (read(2), recv(2)) would see EFAULT; so the range is no larger than it must be.
//
// Threads: any; one migration at a time, by a lock. The fault handler is installed by the first migration, passes on
// what is not its business, and stays, since a late fault may still be on its way to it.
#pragma once
#include <cstddef>

namespace zeroth::cpu {

class Heap;

// `bytes` and `offset` are multiples of the page size; the file has room for them from there on and reads as zeros.
// Throws std::bad_alloc; then nothing has changed.
void migrate_to_file(const Heap& heap, std::byte* base, std::size_t bytes, int file, std::size_t offset);

} // namespace zeroth::cpu
