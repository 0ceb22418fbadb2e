/*
 * element.h - the type of the elements, and the names that go with it. The compile commands of an
 * assignment define GEMM_F32 or GEMM_F64; without either, elements are 32-bit integers.
 */
#ifndef ELEMENT_H
#define ELEMENT_H

#include <stdint.h>

#if defined(GEMM_F64)
typedef double element;
#define GEMM gemm_f64
#define GEMM_MPI gemm_f64_mpi
#define GEMM_ACC gemm_f64_acc
#define GEMM_CUDA gemm_f64_cuda
#define GEMM_MPI_CUDA gemm_f64_mpi_cuda
#define ELEMENT_MPI MPI_DOUBLE
#elif defined(GEMM_F32)
typedef float element;
#define GEMM gemm_f32
#define GEMM_MPI gemm_f32_mpi
#define GEMM_ACC gemm_f32_acc
#define GEMM_CUDA gemm_f32_cuda
#define GEMM_MPI_CUDA gemm_f32_mpi_cuda
#define ELEMENT_MPI MPI_FLOAT
#else
typedef int32_t element;
#define GEMM gemm_i32
#define GEMM_MPI gemm_i32_mpi
#define GEMM_ACC gemm_i32_acc
#define GEMM_CUDA gemm_i32_cuda
#define GEMM_MPI_CUDA gemm_i32_mpi_cuda
#define ELEMENT_MPI MPI_INT32_T
#endif

#endif
