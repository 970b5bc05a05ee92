// Copies of images: boxes of texels. All checks are made when the command is appended.
#include "../commands/box_overlap.hpp"
#include "../objects/command_list.hpp"
#include "image.hpp"

#include <sdk/error.hpp>

namespace zeroth::cpu {

namespace {

const CpuImage& single_plane(ze_image_handle_t handle) {
  const auto& image = *from_handle<CpuImage>(handle);
  if (image.planar())
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("an image of several planes is copied by views of one"));
  return image;
}

// The region, or all of the image; extents that the image does not have are 1 whatever the region says.
ze_image_region_t region_in(const CpuImage& image, const ze_image_region_t* region) {
  const Extents& extents = image.extents();
  if (!region) return {0, 0, 0, extents.width, extents.height, extents.depth};
  ze_image_region_t r = *region;
  if (extents.count < 2) r.originY = 0, r.height = 1;
  if (extents.count < 3) r.originZ = 0, r.depth = 1;
  auto fits = [](std::uint64_t origin, std::uint64_t size, std::uint64_t extent) { return origin + size <= extent; };
  if (!fits(r.originX, r.width, extents.width) || !fits(r.originY, r.height, extents.height) ||
      !fits(r.originZ, r.depth, extents.depth))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "a region of {} x {} x {} at {}, {}, {} in an image of {} x {} x {}",
                r.width, r.height, r.depth, r.originX, r.originY, r.originZ, extents.width, extents.height,
                extents.depth);
  return r;
}

std::byte* address_in(const CpuImage& image, const ze_image_region_t& r) {
  return image.texels() + r.originX * image.texel_bytes() + r.originY * image.row_pitch() +
         r.originZ * image.slice_pitch();
}

BoxCopy box_of(const CpuImage& image, const ze_image_region_t& r) {
  BoxCopy box;
  box.row_bytes = r.width * image.texel_bytes();
  box.rows = r.height;
  box.slices = r.depth;
  return box;
}

struct Pitches {
  std::size_t row, slice;
};

// Rows and slices without gaps.
Pitches tight(const CpuImage& image, const ze_image_region_t& r) {
  const std::size_t row = r.width * image.texel_bytes();
  return {row, row * r.height};
}

// The rules of zeCommandListAppendImageCopyToMemoryExt. The layers of a 1D array are a slice pitch apart.
Pitches checked(const CpuImage& image, const ze_image_region_t& r, std::size_t row, std::size_t slice) {
  const std::size_t least = r.width * image.texel_bytes();
  const bool one = image.extents().count == 1, lines = image.extents().lines() && !one;
  const std::size_t rows = lines ? 1 : r.height;
  if (one ? row != 0 : row < least)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "a row pitch of {} bytes; {}", row,
                one ? "it is 0 for a 1D image" : "a row of the region is longer");
  if (image.extents().count < 3 && !lines ? slice != 0 : slice < row * rows)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "a slice pitch of {} bytes; {}", slice,
                lines || image.extents().count == 3 ? "a slice of the region is larger"
                                                    : "it is 0 for 1D and 2D images");
  if (lines) return {slice, slice * r.height};
  return {one ? least : row, slice ? slice : row * r.height};
}

// Images may share memory by views, and by what the program names as theirs.
BoxCopy image_to_image(const CpuImage& to, const CpuImage& from, const ze_image_region_t& to_region,
                       const ze_image_region_t& from_region, ze_result_t if_overlapping) {
  if (to.texel_bytes() != from.texel_bytes())
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "texels of {} bytes into texels of {}", from.texel_bytes(),
                to.texel_bytes());
  if (to_region.width != from_region.width || to_region.height != from_region.height ||
      to_region.depth != from_region.depth)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the regions of a copy differ in size"));
  BoxCopy box = box_of(to, to_region);
  box.to = address_in(to, to_region), box.to_pitch = to.row_pitch(), box.to_slice = to.slice_pitch();
  box.from = address_in(from, from_region), box.from_pitch = from.row_pitch(), box.from_slice = from.slice_pitch();
  if (overlaps(box)) throw Error(if_overlapping, std::string("the regions of a copy of images overlap"));
  return box;
}

BoxCopy image_to_memory(void* to, const CpuImage& from, const ze_image_region_t& region, Pitches pitches) {
  BoxCopy box = box_of(from, region);
  box.to = static_cast<std::byte*>(to), box.to_pitch = pitches.row, box.to_slice = pitches.slice;
  box.from = address_in(from, region), box.from_pitch = from.row_pitch(), box.from_slice = from.slice_pitch();
  return box;
}

BoxCopy memory_to_image(const CpuImage& to, const void* from, const ze_image_region_t& region, Pitches pitches) {
  BoxCopy box = box_of(to, region);
  box.to = address_in(to, region), box.to_pitch = to.row_pitch(), box.to_slice = to.slice_pitch();
  box.from = static_cast<const std::byte*>(from), box.from_pitch = pitches.row, box.from_slice = pitches.slice;
  return box;
}

} // namespace

ze_result_t CpuCommandList::append_image_copy(ze_image_handle_t to, ze_image_handle_t from, ze_event_handle_t signal,
                                              uint32_t count, ze_event_handle_t* waits) {
  const CpuImage &target = single_plane(to), &source = single_plane(from);
  return record<BoxCopyCommand>({signal, count, waits},
                                image_to_image(target, source, region_in(target, nullptr), region_in(source, nullptr),
                                               ZE_RESULT_ERROR_INVALID_ARGUMENT)); // the only one of its codes
}

ze_result_t CpuCommandList::append_image_copy_region(ze_image_handle_t to, ze_image_handle_t from,
                                                     const ze_image_region_t* to_region,
                                                     const ze_image_region_t* from_region, ze_event_handle_t signal,
                                                     uint32_t count, ze_event_handle_t* waits) {
  const CpuImage &target = single_plane(to), &source = single_plane(from);
  return record<BoxCopyCommand>({signal, count, waits},
                                image_to_image(target, source, region_in(target, to_region),
                                               region_in(source, from_region), ZE_RESULT_ERROR_OVERLAPPING_REGIONS));
}

ze_result_t CpuCommandList::append_image_copy_to_memory(void* to, ze_image_handle_t from,
                                                        const ze_image_region_t* region, ze_event_handle_t signal,
                                                        uint32_t count, ze_event_handle_t* waits) {
  const CpuImage& image = single_plane(from);
  const ze_image_region_t r = region_in(image, region);
  return record<BoxCopyCommand>({signal, count, waits}, image_to_memory(to, image, r, tight(image, r)));
}

ze_result_t CpuCommandList::append_image_copy_from_memory(ze_image_handle_t to, const void* from,
                                                          const ze_image_region_t* region, ze_event_handle_t signal,
                                                          uint32_t count, ze_event_handle_t* waits) {
  const CpuImage& image = single_plane(to);
  const ze_image_region_t r = region_in(image, region);
  return record<BoxCopyCommand>({signal, count, waits}, memory_to_image(image, from, r, tight(image, r)));
}

ze_result_t CpuCommandList::append_image_copy_to_memory_ext(void* to, ze_image_handle_t from,
                                                            const ze_image_region_t* region, uint32_t row_pitch,
                                                            uint32_t slice_pitch, ze_event_handle_t signal,
                                                            uint32_t count, ze_event_handle_t* waits) {
  const CpuImage& image = single_plane(from);
  const ze_image_region_t r = region_in(image, region);
  return record<BoxCopyCommand>({signal, count, waits},
                                image_to_memory(to, image, r, checked(image, r, row_pitch, slice_pitch)));
}

ze_result_t CpuCommandList::append_image_copy_from_memory_ext(ze_image_handle_t to, const void* from,
                                                              const ze_image_region_t* region, uint32_t row_pitch,
                                                              uint32_t slice_pitch, ze_event_handle_t signal,
                                                              uint32_t count, ze_event_handle_t* waits) {
  const CpuImage& image = single_plane(to);
  const ze_image_region_t r = region_in(image, region);
  return record<BoxCopyCommand>({signal, count, waits},
                                memory_to_image(image, from, r, checked(image, r, row_pitch, slice_pitch)));
}

} // namespace zeroth::cpu
