// SPDX-License-Identifier: Apache-2.0
// Texels whose channels share a number (CL_UNORM_SHORT_565 and the like), which no texture unit reads for CUDA. In functions of their
// own, because they are rare.
#pragma once

// By the type (cl_channel_type - CL_SNORM_INT8): those of image_descriptor.h.
static inline bool is_packed(uint type) { return type < 32 && (CLCUDA_PACKED_TYPES >> type & 1); }

// A texel's color; what a texture gave, whose channels are the texel's number or its bytes, as a color; and back.
float4 __clcuda_unpacked(uint texel, uint type);
float4 __clcuda_unpacked_fetch(float4 fetched, uint type);
uint __clcuda_packed(float4 color, uint type);
