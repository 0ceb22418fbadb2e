/*
 * install.h - where the program's own parts lie, relative to the running executable, so that a
 * build tree, `make install PREFIX=...` and a moved prefix all work:
 *
 *   bin/paragrade
 *   libexec/paragrade/{proctor,driver-{cpu,mpi,cuda,openacc,mpi_cuda},agent}
 *   libexec/paragrade/{tasks-at-once,late-threads,late-streams}.so
 *   include/paragrade/gemm.h
 *   share/paragrade/{reference,testcases,sbatch,student_impls,docs}
 *
 * driver-cpu is always there. The build makes each other driver only where it finds its compiler.
 */
#ifndef BASE_INSTALL_H
#define BASE_INSTALL_H

/* Absolute path of a part, e.g. "libexec/paragrade/proctor"; the caller frees it. The prefix is
 * the nearest directory above the running executable that holds libexec/paragrade. */
char *install_path(const char *part);

/* A shared part ("sbatch/unit.sbatch", "testcases"): in share/paragrade of the installation, or in
 * the source tree around a build. Absolute path, or NULL; the caller frees it. */
char *install_share(const char *part);

#endif
