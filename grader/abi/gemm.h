/*
 * gemm.h - the kernel signatures of the dense matrix product, C = A * B.
 *
 * This is the one header a submission includes. A submission's source file defines exactly the
 * function of its tier; the references under reference/ define the same functions.
 *
 *   A is M x K, B is K x N, C is M x N: row-major, contiguous (leading dimensions K, N, N), each
 *   starting on a 64-byte boundary, never overlapping.
 *   A and B are read-only: on the host, writing to them ends the run. C holds arbitrary values on
 *   entry: the kernel must assign every element and must not read them first.
 *   M, N, K >= 1; every product of two of them fits in int.
 *   The function may be called any number of times, with any mixture of shapes. It must be
 *   finished - threads joined or idle, nothing still being written - when it returns; on a GPU,
 *   when all that it has put into the given stream (OpenACC: into any queue) is done.
 *   It may print, allocate and start threads. It must not use clocks, files, processes and sockets
 *   of the C library: a source that calls them is refused, unless the assignment allows it.
 */
#ifndef PARAGRADE_GEMM_H
#define PARAGRADE_GEMM_H

#include <stddef.h>
#include <stdint.h>
#ifdef PARAGRADE_MPI
#include <mpi.h>
#endif
#ifdef PARAGRADE_CUDA
#include <cuda_runtime_api.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Host tiers (naive, locality, simd, openmp, ...). An assignment has one type of elements: 32-bit
 * integers with arithmetic mod 2^32, float, or double.
 * Note for C: overflow of int is undefined; the tiers are compiled with -fwrapv. */
void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C);
void gemm_f32(int M, int N, int K, const float *A, const float *B, float *C);
void gemm_f64(int M, int N, int K, const double *A, const double *B, double *C);

#ifdef PARAGRADE_MPI
/* MPI tier: collective over comm. A, B and C are valid on rank 0 only and NULL elsewhere;
 * M, N and K are valid on every rank. The driver has called MPI_Init_thread with
 * MPI_THREAD_FUNNELED; the kernel must not call MPI_Finalize. */
void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm);
void gemm_f32_mpi(int M, int N, int K, const float *A, const float *B, float *C, MPI_Comm comm);
void gemm_f64_mpi(int M, int N, int K, const double *A, const double *B, double *C, MPI_Comm comm);
#endif

#ifdef PARAGRADE_CUDA
/* CUDA tier: device pointers; all work must be ordered on or joined into the given stream. With
 * several GPUs (cudaGetDeviceCount), the first one has the matrices and the stream. It is current
 * at each call. */
void gemm_i32_cuda(int M, int N, int K, const int32_t *dA, const int32_t *dB, int32_t *dC,
                   cudaStream_t stream);
void gemm_f32_cuda(int M, int N, int K, const float *dA, const float *dB, float *dC,
                   cudaStream_t stream);
void gemm_f64_cuda(int M, int N, int K, const double *dA, const double *dB, double *dC,
                   cudaStream_t stream);
#ifdef PARAGRADE_MPI
/* MPI and CUDA: a rank for each GPU, and each rank sees its own. As in the MPI tier, but A, B and C
 * are on the device of rank 0. All work of a rank must be ordered on or joined into its stream. */
void gemm_i32_mpi_cuda(int M, int N, int K, const int32_t *dA, const int32_t *dB, int32_t *dC,
                       MPI_Comm comm, cudaStream_t stream);
void gemm_f32_mpi_cuda(int M, int N, int K, const float *dA, const float *dB, float *dC,
                       MPI_Comm comm, cudaStream_t stream);
void gemm_f64_mpi_cuda(int M, int N, int K, const double *dA, const double *dB, double *dC,
                       MPI_Comm comm, cudaStream_t stream);
#endif
#endif

#ifdef PARAGRADE_OPENACC
/* OpenACC tier: host pointers whose data the driver has made present on the device. */
void gemm_i32_acc(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C);
void gemm_f32_acc(int M, int N, int K, const float *A, const float *B, float *C);
void gemm_f64_acc(int M, int N, int K, const double *A, const double *B, double *C);
#endif

#ifdef __cplusplus
}
#endif

#endif
