#include "image.hpp"

#include "../objects/chain.hpp"
#include "../objects/context.hpp"

#include <sdk/error.hpp>

#include <algorithm>

namespace zeroth::cpu {

namespace {

void check_extent(const char* name, std::uint64_t value, std::uint64_t limit) {
  if (value == 0 || value > limit)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "an image's {} of {}; 1 to {} are possible", name, value, limit);
}

zeroth_image kernel_format(const ze_image_format_t& format) {
  const auto found = texel_format(format);
  if (!found)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, "image layout {} with channels of type {}",
                static_cast<int>(format.layout), static_cast<int>(format.type));
  return *found;
}

void check_swizzles(const ze_image_format_t& format) {
  for (auto swizzle : {format.x, format.y, format.z, format.w})
    if (static_cast<std::uint32_t>(swizzle) > ZE_IMAGE_FORMAT_SWIZZLE_D)
      throw Error(ZE_RESULT_ERROR_INVALID_ENUMERATION, "{} is no swizzle of a component", static_cast<int>(swizzle));
}

void check_linear(const void* chain) {
  if (wants_srgb(chain))
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, std::string("texels in sRGB: kernels read linear values"));
}

std::uint32_t plane_index(const void* chain) {
  if (auto* plane = find_in_chain<ze_image_view_planar_ext_desc_t>(chain, ZE_STRUCTURE_TYPE_IMAGE_VIEW_PLANAR_EXT_DESC))
    return plane->planeIndex;
  if (auto* plane = find_in_chain<ze_image_view_planar_exp_desc_t>(chain, ZE_STRUCTURE_TYPE_IMAGE_VIEW_PLANAR_EXP_DESC))
    return plane->planeIndex;
  throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("a view of an image of several planes names no plane"));
}

std::uint32_t shifted(std::uint32_t extent, unsigned shift) { return (extent + (1u << shift) - 1) >> shift; }

} // namespace

bool wants_srgb(const void* chain) {
  auto* srgb = find_in_chain<ze_srgb_ext_desc_t>(chain, ZE_STRUCTURE_TYPE_SRGB_EXT_DESC);
  return srgb && srgb->sRGB;
}

Extents extents_of(const ze_image_desc_t& desc) {
  Extents extents;
  const bool space = desc.type == ZE_IMAGE_TYPE_3D, buffer = desc.type == ZE_IMAGE_TYPE_BUFFER;
  const bool plane = desc.type == ZE_IMAGE_TYPE_2D || desc.type == ZE_IMAGE_TYPE_2DARRAY;
  check_extent("width", desc.width, buffer ? MaxImageBufferTexels : space ? MaxImageExtent3D : MaxImageExtent);
  extents.width = static_cast<std::uint32_t>(desc.width);
  if (plane || space) {
    check_extent("height", desc.height, space ? MaxImageExtent3D : MaxImageExtent);
    extents.height = desc.height;
    extents.count = 2;
  }
  if (space) {
    check_extent("depth", desc.depth, MaxImageExtent3D);
    extents.depth = desc.depth;
    extents.count = 3;
  }
  if (desc.type == ZE_IMAGE_TYPE_1DARRAY || desc.type == ZE_IMAGE_TYPE_2DARRAY) {
    check_extent("number of layers", desc.arraylevels, MaxImageLayers);
    (plane ? extents.depth : extents.height) = desc.arraylevels;
    ++extents.count;
    extents.layered = true;
  }
  if (desc.miplevels > 1)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} mip levels; images have one", desc.miplevels);
  return extents;
}

void CpuImage::set_pitches(std::size_t row, std::size_t slice) {
  row_pitch_ = row;
  slice_pitch_ = slice;
  bytes_ = slice * extents_.depth;
  if (row % 4 || slice % 4 || bytes_ > MaxImageBytes)
    throw Error(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "an image of {} bytes; at most {} are possible", bytes_,
                MaxImageBytes);
  descriptor_.row_words = static_cast<std::int32_t>(row / 4);
  descriptor_.slice_words = static_cast<std::int32_t>(slice / 4);
}

void CpuImage::lay_out(const ze_image_desc_t& desc, std::size_t texel_bytes) {
  const auto* pitches = find_in_chain<ze_custom_pitch_exp_desc_t>(desc.pNext, ZE_STRUCTURE_TYPE_CUSTOM_PITCH_EXP_DESC);
  const std::size_t least_row = extents_.width * texel_bytes;
  std::size_t row = round_up(least_row, ImageAlignment);
  if (pitches && pitches->rowPitch) row = pitches->rowPitch;
  std::size_t slice = row * extents_.height;
  if (pitches && pitches->slicePitch) slice = pitches->slicePitch;
  if (row > MaxImageBytes || slice > MaxImageBytes) // and products of them, which might look small
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "pitches of {} and {} bytes; an image has at most {}", row, slice,
                MaxImageBytes);
  if (row < least_row || row % 4 || slice < row * extents_.height || slice % 4)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "pitches of {} and {} bytes for rows of {}", row, slice, least_row);
  set_pitches(row, slice);
}

// An import that is too small for rows at aligned addresses has them one after the other.
void CpuImage::lay_out_tightly(std::size_t bytes) {
  const std::size_t row = extents_.width * texel_bytes();
  if (!planar() && row % 4 == 0 && row * extents_.height * extents_.depth <= bytes)
    set_pitches(row, row * extents_.height);
}

// Planes lie one after the other, all with the first one's row pitch.
void CpuImage::lay_out_planes() {
  std::size_t row = 0, rows = 0;
  for (const Plane& plane : planes_of(format_.layout)) {
    row = std::max<std::size_t>(row, std::size_t{shifted(extents_.width, plane.x_shift)} * plane.bytes);
    rows += shifted(extents_.height, plane.y_shift);
  }
  row = round_up(row, ImageAlignment);
  set_pitches(row, row * rows);
}

void CpuImage::use_program_memory(void* memory, const Heap& heap) {
  const Allocation found = heap.find(memory);
  const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(memory) - static_cast<std::byte*>(found.base));
  std::size_t needed = bytes_;
  if (!planar()) needed -= row_pitch_ - extents_.width * texel_bytes(); // there is no gap behind the last row
  // What is in no allocation is the program's own memory, which the device shares; its size is not known.
  if (!memory || reinterpret_cast<std::uintptr_t>(memory) % 4 || (found && needed > found.size - offset))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} does not hold an image of {} bytes", memory, needed);
  memory_ = std::shared_ptr<void>(memory, [](void*) {});
}

// Memory that the program names, that it imports, or new memory.
void CpuImage::take_memory(CpuContext& context, ze_device_handle_t device, const void* chain) {
  Heap& heap = context.driver().heap();
  heap_ = &heap;
  if (auto* given = find_in_chain<ze_image_pitched_exp_desc_t>(chain, ZE_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC))
    return use_program_memory(given->ptr, heap);
  void* memory = context.import_memory(chain, bytes_, MemoryKind::Device, device);
  try {
    if (!memory) memory = heap.allocate(bytes_, ImageAlignment, MemoryKind::Device, context.owner(device));
  } catch (const std::bad_alloc&) {
    throw Error(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "an image of {} bytes is not to be had", bytes_);
  }
  memory_ = std::shared_ptr<void>(memory, [&heap](void* base) { heap.release(base); });
}

CpuImage* CpuImage::create(CpuContext& context, ze_device_handle_t device, const ze_image_desc_t& desc) {
  check_swizzles(desc.format);
  check_linear(desc.pNext);
  std::unique_ptr<CpuImage> image(new CpuImage);
  image->format_ = desc.format;
  const bool planar = image->planar();
  if (!planar) image->descriptor_ = kernel_format(desc.format);
  if (planar && desc.type != ZE_IMAGE_TYPE_2D)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, std::string("images of several planes are 2D"));
  image->extents_ = extents_of(desc);
  if (planar)
    image->lay_out_planes();
  else
    image->lay_out(desc, image->texel_bytes());
  if (const auto source = context.import_source(desc.pNext); source && source->size < image->bytes_)
    image->lay_out_tightly(source->size);
  image->take_memory(context, device, desc.pNext);
  image->finish(desc, image->memory_.get());
  return image.release();
}

void CpuImage::finish(const ze_image_desc_t& desc, void* texels) {
  bindless_ = find_in_chain<void>(desc.pNext, ZE_STRUCTURE_TYPE_BINDLESS_IMAGE_EXP_DESC) != nullptr;
  if (auto* sampler = find_in_chain<ze_sampler_desc_t>(desc.pNext, ZE_STRUCTURE_TYPE_SAMPLER_DESC))
    descriptor_.sampler.bits = sampler_bits(*sampler);
  descriptor_.texels = static_cast<std::uint8_t*>(texels);
  descriptor_.width = static_cast<std::int32_t>(extents_.width);
  descriptor_.height = static_cast<std::int32_t>(extents_.height);
  descriptor_.depth = static_cast<std::int32_t>(extents_.depth);
}

// A view sees the whole image or one of its planes, with another format of as many bytes or fewer extents.
CpuImage* CpuImage::create_view(const CpuImage& of, const ze_image_desc_t& desc) {
  check_swizzles(desc.format);
  check_linear(desc.pNext);
  std::unique_ptr<CpuImage> view(new CpuImage);
  view->memory_ = of.memory_;
  view->heap_ = of.heap_;
  view->format_ = desc.format;
  view->descriptor_ = kernel_format(desc.format);
  view->extents_ = extents_of(desc);
  Whole whole{of.texels(), of.texel_bytes(), of.extents_};
  if (of.planar()) whole = of.plane(plane_index(desc.pNext));
  if (view->texel_bytes() != whole.texel_bytes)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, "a view with texels of {} bytes into {}", view->texel_bytes(),
                whole.texel_bytes);
  if (view->extents_.width > whole.extents.width || view->extents_.height > whole.extents.height ||
      view->extents_.depth > whole.extents.depth)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "a view of {} x {} x {} into {} x {} x {}", view->extents_.width,
                view->extents_.height, view->extents_.depth, whole.extents.width, whole.extents.height,
                whole.extents.depth);
  view->set_pitches(of.row_pitch_, of.slice_pitch_);
  view->finish(desc, whole.texels);
  return view.release();
}

CpuImage::Whole CpuImage::plane(std::uint32_t index) const {
  const auto planes = planes_of(format_.layout);
  if (index >= planes.size())
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "plane {} of an image of {}", index, planes.size());
  std::byte* start = texels();
  for (std::uint32_t i = 0; i < index; ++i) start += row_pitch_ * shifted(extents_.height, planes[i].y_shift);
  Extents extents = extents_;
  extents.width = shifted(extents.width, planes[index].x_shift);
  extents.height = shifted(extents.height, planes[index].y_shift);
  return {start, planes[index].bytes, extents};
}

const zeroth_image& CpuImage::descriptor() const {
  if (planar())
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, std::string("an image of several planes; use views of one"));
  return descriptor_;
}

Allocation CpuImage::allocation() const { return heap_->find(memory_.get()); }

ze_result_t CpuImage::destroy() {
  delete this;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuImage::get_memory_properties_exp(ze_image_memory_properties_exp_t* properties) {
  properties->size = bytes_;
  properties->rowPitch = row_pitch_;
  properties->slicePitch = slice_pitch_;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuImage::get_device_offset_exp(std::uint64_t* offset) {
  if (!bindless_) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the image was not created bindless"));
  *offset = reinterpret_cast<std::uintptr_t>(&descriptor());
  return ZE_RESULT_SUCCESS;
}

std::uint32_t sampler_bits(const ze_sampler_desc_t& desc) {
  constexpr std::uint32_t modes[] = {ZEROTH_ADDRESS_NONE, ZEROTH_ADDRESS_REPEAT, ZEROTH_ADDRESS_CLAMP_TO_EDGE,
                                     ZEROTH_ADDRESS_CLAMP, ZEROTH_ADDRESS_MIRROR};
  if (static_cast<std::size_t>(desc.addressMode) >= std::size(modes) ||
      static_cast<std::uint32_t>(desc.filterMode) > ZE_SAMPLER_FILTER_MODE_LINEAR)
    throw Error(ZE_RESULT_ERROR_INVALID_ENUMERATION, "a sampler of address mode {} and filter mode {}",
                static_cast<int>(desc.addressMode), static_cast<int>(desc.filterMode));
  return modes[desc.addressMode] | (desc.isNormalized ? ZEROTH_SAMPLER_NORMALIZED : 0) |
         (desc.filterMode == ZE_SAMPLER_FILTER_MODE_LINEAR ? ZEROTH_SAMPLER_LINEAR : 0);
}

CpuSampler::CpuSampler(const ze_sampler_desc_t& desc) : descriptor_{sampler_bits(desc)} {}

ze_result_t CpuSampler::destroy() {
  delete this;
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::cpu
