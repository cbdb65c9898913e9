// How the rules core is compiled: host+device qualifiers and one inline namespace per target.
//
// The core is header-only and is instantiated several times in one program: by g++ for the host, by
// g++ again with the flags of each instruction set, and by nvcc. Inline functions whose code
// differs between those builds must not share a symbol, or the linker keeps an arbitrary one of
// them. Every function of the core therefore lives in an inline namespace named after the target;
// plain data types live outside of it and are the same type everywhere.
#pragma once

#include <cstdint>

// CUARBITER_HD_APART is for large functions that are called from many places: on a device they are
// called, not copied into each. CUARBITER_HD_SELDOM is for what is done seldom by members of
// objects that live in registers on a device: called on the host, copied there.
#if defined(__CUDACC__)
#define CUARBITER_HD __host__ __device__ inline
#define CUARBITER_HD_INLINE __host__ __device__ __forceinline__
#define CUARBITER_HD_APART __host__ __device__ __noinline__ inline
#define CUARBITER_HD_SELDOM __host__ __device__ __forceinline__
#else
#define CUARBITER_HD inline
#define CUARBITER_HD_INLINE inline __attribute__((always_inline))
#define CUARBITER_HD_APART inline
#define CUARBITER_HD_SELDOM inline __attribute__((noinline))
#endif

#if !defined(CUARBITER_TARGET)
#if defined(__CUDACC__)
#define CUARBITER_TARGET target_cuda
#else
#define CUARBITER_TARGET target_generic
#endif
#endif

#define CUARBITER_RULES_BEGIN \
  namespace cuarbiter {       \
  inline namespace CUARBITER_TARGET {
#define CUARBITER_RULES_END \
  }                         \
  }
