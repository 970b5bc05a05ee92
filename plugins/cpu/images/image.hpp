// Images: linear texels in memory of their own, in memory that the program names (pitched) or imports, or in another
// image's (views). Samplers: a word.
//
// Threads: immutable after creation; texels are the business of whoever writes them. Ownership: an image keeps its
// memory as long as it or a view of it lives; the program keeps images alive while commands that use them run.
#pragma once
#include "../memory/heap.hpp"
#include "texel_format.hpp"

#include <zeroth/device/image.hpp>
#include <zeroth/device/sampler.hpp>

#include <memory>

namespace zeroth::cpu {

class CpuContext;

// Limits that properties report and creation enforces. All words of an image number less than 2^31.
inline constexpr std::uint32_t MaxImageExtent = 16384, MaxImageExtent3D = 2048, MaxImageLayers = 2048;
inline constexpr std::uint64_t MaxImageBytes = (std::uint64_t{1} << 33) - 4096;
inline constexpr std::uint64_t MaxImageBufferTexels = std::uint64_t{1} << 27;
inline constexpr std::uint32_t ImageAlignment = 64; // of first texels and row pitches

struct Extents {
  std::uint32_t width = 1, height = 1, depth = 1; // as in zeroth_image: layers are the extent after the last one
  unsigned count = 1;                             // of them that matter
  bool layered = false;
  bool lines() const { return count == 1u + layered; } // a 1D image or an array of them
};

// Does the chain of an image's descriptor ask for texels in sRGB, which are not offered?
bool wants_srgb(const void* chain);

// Throws INVALID_ARGUMENT for extents that no image can have.
Extents extents_of(const ze_image_desc_t& desc);

class CpuImage final : public device::Image {
public:
  // Throws UNSUPPORTED_IMAGE_FORMAT, INVALID_ARGUMENT, OUT_OF_DEVICE_MEMORY.
  static CpuImage* create(CpuContext& context, ze_device_handle_t device, const ze_image_desc_t& desc);
  static CpuImage* create_view(const CpuImage& of, const ze_image_desc_t& desc);

  // What kernels get. Throws UNSUPPORTED_IMAGE_FORMAT for an image of several planes.
  const zeroth_image& descriptor() const;

  const Extents& extents() const { return extents_; }
  const ze_image_format_t& format() const { return format_; }
  bool planar() const { return !planes_of(format_.layout).empty(); }
  std::byte* texels() const { return reinterpret_cast<std::byte*>(descriptor_.texels); }
  std::size_t texel_bytes() const { return descriptor_.texel_bytes; }
  std::size_t row_pitch() const { return row_pitch_; }
  std::size_t slice_pitch() const { return slice_pitch_; }
  Allocation allocation() const; // that holds the texels; an empty one in the program's own memory

  ze_result_t destroy() override;
  ze_result_t get_memory_properties_exp(ze_image_memory_properties_exp_t* properties) override;
  ze_result_t get_device_offset_exp(std::uint64_t* offset) override;

private:
  struct Whole { // what a view can see
    std::byte* texels;
    std::size_t texel_bytes;
    Extents extents;
  };
  CpuImage() = default;
  void set_pitches(std::size_t row, std::size_t slice);
  void lay_out(const ze_image_desc_t& desc, std::size_t texel_bytes);
  void lay_out_planes();
  void lay_out_tightly(std::size_t bytes);
  void take_memory(CpuContext& context, ze_device_handle_t device, const void* chain);
  void use_program_memory(void* memory, const Heap& heap);
  void finish(const ze_image_desc_t& desc, void* texels);
  Whole plane(std::uint32_t index) const;

  zeroth_image descriptor_{};
  Extents extents_;
  ze_image_format_t format_{};
  std::size_t row_pitch_ = 0, slice_pitch_ = 0, bytes_ = 0;
  bool bindless_ = false;
  std::shared_ptr<void> memory_;
  const Heap* heap_ = nullptr;
};

class CpuSampler final : public device::Sampler {
public:
  explicit CpuSampler(const ze_sampler_desc_t& desc);
  const zeroth_sampler& descriptor() const { return descriptor_; }
  ze_result_t destroy() override;

private:
  zeroth_sampler descriptor_;
};

// The bits of zeroth_sampler.
std::uint32_t sampler_bits(const ze_sampler_desc_t& desc);

} // namespace zeroth::cpu
