/*
 * spmm.h - the kernel signatures of the product of a sparse and a dense matrix, Y = A * X, in
 * double.
 *
 *   A is M x N and sparse, X is N x K, Y is M x K. X and Y are row-major, contiguous (leading
 *   dimension K). All arrays start on a 64-byte boundary and never overlap.
 *
 *   CSR (compressed sparse rows): the entries of row i are those from row_start[i] to
 *   row_start[i + 1] - 1 of col and val. row_start has M + 1 numbers; row_start[0] is 0, and
 *   row_start[M] is nnz. Rows may be empty, and nnz may be 0.
 *
 *   ELLPACK: every row has `width` entries. Entry e of row i is at i * width + e of col and val.
 *   Shorter rows are padded at the end: the value is 0, and the column is that of the last entry of
 *   the row, or 0 in an empty row. So a kernel may treat padding like any other entry.
 *   width may be 0: then A has no entries.
 *
 *   In both, the columns of a row are ascending, and none is there twice.
 *
 *   A and X are read-only: on the host, writing to them ends the run. Y holds arbitrary values on
 *   entry: the kernel must assign every element, also the zeros of empty rows, and must not read
 *   them first.
 *   M, N, K >= 1. The number of elements of every array fits in int.
 *   The function may be called any number of times, with any mixture of shapes. It must be
 *   finished - threads joined or idle, nothing still being written - when it returns; on a GPU,
 *   when all that it has put into the given stream (OpenACC: into any queue) is done.
 *   It must not use clocks, files, processes and sockets of the C library: a source that calls them
 *   is refused, unless the assignment allows it.
 */
#ifndef PARAGRADE_SPMM_H
#define PARAGRADE_SPMM_H

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

/* Host tiers. */
void spmm_csr_f64(int M, int N, int K, int nnz, const int *row_start, const int *col,
                  const double *val, const double *X, double *Y);
void spmm_ell_f64(int M, int N, int K, int width, const int *col, const double *val,
                  const double *X, double *Y);

#ifdef PARAGRADE_MPI
/* MPI tier: collective over comm. The arrays are valid on rank 0 only and NULL elsewhere; the
 * numbers are valid on every rank. */
void spmm_csr_f64_mpi(int M, int N, int K, int nnz, const int *row_start, const int *col,
                      const double *val, const double *X, double *Y, MPI_Comm comm);
void spmm_ell_f64_mpi(int M, int N, int K, int width, const int *col, const double *val,
                      const double *X, double *Y, MPI_Comm comm);
#endif

#ifdef PARAGRADE_CUDA
/* CUDA tier: device pointers; all work must be ordered on or joined into the given stream. */
void spmm_csr_f64_cuda(int M, int N, int K, int nnz, const int *row_start, const int *col,
                       const double *val, const double *X, double *Y, cudaStream_t stream);
void spmm_ell_f64_cuda(int M, int N, int K, int width, const int *col, const double *val,
                       const double *X, double *Y, cudaStream_t stream);
#endif

#ifdef PARAGRADE_OPENACC
/* OpenACC tier: host pointers whose data the driver has made present on the device. */
void spmm_csr_f64_acc(int M, int N, int K, int nnz, const int *row_start, const int *col,
                      const double *val, const double *X, double *Y);
void spmm_ell_f64_acc(int M, int N, int K, int width, const int *col, const double *val,
                      const double *X, double *Y);
#endif

#ifdef __cplusplus
}
#endif

#endif
