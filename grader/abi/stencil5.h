/*
 * stencil5.h - the kernel signatures of a two-dimensional stencil of five points: one application
 * of the discrete Laplacian to a grid,
 *
 *     out[i][j] = in[i-1][j] + in[i+1][j] + in[i][j-1] + in[i][j+1] - 4 in[i][j],
 *
 * where points outside the grid are zero.
 *
 *   in and out have M rows of N points: row-major, contiguous, each starting on a 64-byte boundary,
 *   never overlapping. in is read-only. out holds arbitrary values on entry: the kernel must assign
 *   every element and must not read them first.
 *   M, N >= 1; M * N fits in int.
 *   The function may be called any number of times, with any mixture of shapes. It must be
 *   finished - threads joined or idle, nothing still being written - when it returns; on a GPU,
 *   when all that it has put into the given stream (OpenACC: into any queue) is done.
 *   It must not use clocks, files, processes and sockets of the C library: a source that calls them
 *   is refused, unless the assignment allows it.
 */
#ifndef PARAGRADE_STENCIL5_H
#define PARAGRADE_STENCIL5_H

#include <stddef.h>

#ifdef PARAGRADE_MPI
#include <mpi.h>
#endif
#ifdef PARAGRADE_CUDA
#include <cuda_runtime_api.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Host tiers (naive, simd, openmp, ...). */
void stencil5_f64(int M, int N, const double *in, double *out);

#ifdef PARAGRADE_MPI
/* MPI tier: collective over comm. in and out are valid on rank 0 only and NULL elsewhere; M and N
 * are valid on every rank. */
void stencil5_f64_mpi(int M, int N, const double *in, double *out, MPI_Comm comm);
#endif

#ifdef PARAGRADE_CUDA
/* CUDA tier: device pointers; all work must be ordered on or joined into the given stream. */
void stencil5_f64_cuda(int M, int N, const double *in, double *out, cudaStream_t stream);
#endif

#ifdef PARAGRADE_OPENACC
/* OpenACC tier: host pointers whose data the driver has made present on the device. */
void stencil5_f64_acc(int M, int N, const double *in, double *out);
#endif

#ifdef __cplusplus
}
#endif

#endif
