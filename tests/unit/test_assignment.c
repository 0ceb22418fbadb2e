/* Bad assignment files first: each must be refused with file, line and field. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "model/assignment.h"
#include "model/calls.h"

#include "load_assignment.h"

TEST_FILE("a.yaml")

#define SPARSE                                                                                     \
    "name: a\nkernel: spmm_csr\ntype: f64\nreference: ref\nbaseline: naive\nyardstick: naive\n"
#define MPI_TIER                                                                                   \
    "  - {name: b, sources: b.c, compile: 'cc -o {out} {src}', kind: mpi, launcher: 'm {ranks}', "
#define CUDA_TIER "  - {name: b, sources: b.cu, compile: 'nvcc -o {out} {src}', kind: cuda, "
#define SPARSE_SIZE "performance: {sizes: ['poisson:100x8']}\n"
#define ELL                                                                                        \
    "  - name: ell\n    kernel: spmm_ell\n    sources: [ell.c]\n    compile: gcc -o {out} {src}\n"
#define A5 "aaaaa"
#define A65 A5 A5 A5 A5 A5 A5 A5 A5 A5 A5 A5 A5 A5
#define MATRIX "%%MatrixMarket matrix coordinate pattern general\n"

TEST(refused)
{
    put_at("m/a.mtx", MATRIX "3 4 2\n1 1\n3 4\n");
    put_at("m/broken.mtx", MATRIX "3 4 1\n0 1\n");
    static const struct {
        const char *text;
        const char *says; /* line and field, or words */
    } table[] = {
        {"", "empty"},
        {"- 1\n", ":1:"},
        {"name: [\n", "not YAML"},
        {"\tname: a\n", "not YAML"},
        {HEAD, "field 'tiers': is missing"},
        {HEAD "tiers: []\n", ":7: field 'tiers': the list is empty"},
        {HEAD TIER "tires: 1\n", "unknown key 'tires'; did you mean 'tiers'?"},
        {HEAD TIER "name: b\n", "given twice"},
        {HEAD TIER "seed: -1\n", ":11: field 'seed'"},
        {HEAD TIER "limits: {case: 1y}\n", "field 'limits.case': '1y' is not a time"},
        {HEAD TIER "limits: {unit: 1s, case: 2s}\n", "shorter than limits.case"},
        {HEAD TIER "limits: {memory: 1X}\n", "is not a size"},
        {HEAD TIER "limits:\n  failures: 0\n", ":12: field 'limits.failures'"},
        {HEAD TIER "performance: {sizes: [65536]}\n", "more than 2^31 - 1"},
        {HEAD TIER "performance: {sizes: []}\n", "the list is empty"},
        {HEAD TIER "performance: {precision: many}\n", "is not a number"},
        {HEAD TIER "correctness: {random: 0, edges: no}\n", "nothing would be checked"},
        {HEAD TIER "correctness: {min: 9, max: 3}\n", "less than min"},
        {HEAD TIER "slurm: {memory: 1G}\n", "more than limits.memory"},
        {HEAD TIER "slurm: {memory: 9G, extra: [--mem-per-cpu=9G]}\n",
         "field 'slurm': '--mem-per-cpu=9G' in `extra` and `memory` exclude each other"},
        {HEAD TIER "slurm: {nodes: 2}\n", ":11: field 'slurm.nodes': a job has as many nodes as "
                                          "the launches of its tier: give nodes "
                                          "and ranks_per_node to the tier"},
        {HEAD TIER MPI_TIER "nodes: 2}\n", "nodes and ranks_per_node need each other"},
        {HEAD TIER MPI_TIER "ranks_per_node: 2}\n", "nodes and ranks_per_node need each other"},
        {HEAD TIER MPI_TIER "nodes: [1, 1], ranks_per_node: 2}\n", "1 is given twice"},
        {HEAD TIER MPI_TIER "nodes: [0], ranks_per_node: 2}\n", "tiers[1].nodes"},
        {HEAD TIER MPI_TIER "nodes: [65], ranks_per_node: 64}\n",
         "65 nodes with 64 ranks each are more than 4096 ranks"},
        {HEAD TIER "    nodes: [1]\n    ranks_per_node: 2\n",
         "only tiers of kind mpi and mpi_cuda run on several nodes"},
        {HEAD TIER "    gpus: [1]\n", "only tiers of kind cuda have several GPUs in a process"},
        {HEAD TIER CUDA_TIER "gpus: [0]}\n", "tiers[1].gpus"},
        {HEAD TIER CUDA_TIER "gpus: [65]}\n", "a node has at most 64 GPUs"},
        {HEAD TIER CUDA_TIER "gpus: [2], slurm: {gres: 'gpu:1'}}\n",
         "asks for 1 GPU, and a launch of the tier has 2"},
        {HEAD TIER "slurm: {time: 1m}\n", "more than limits.unit"},
        {HEAD TIER "slurm: {extra: [exclusive]}\n", "not an option of sbatch"},
        {HEAD TIER "profiles: [{name: q, sizes: [0]}]\n", "profiles[0].sizes[0]"},
        {HEAD TIER "roofline: 240\n", ":11: field 'roofline': expected a mapping"},
        {HEAD TIER "roofline: {bandwith: 240}\n", "did you mean 'bandwidth'?"},
        {HEAD TIER "roofline: {bandwidth: []}\n",
         ":11: field 'roofline.bandwidth': the list is empty"},
        {HEAD TIER "roofline:\n  bandwidth: [measured, fast]\n",
         ":12: field 'roofline.bandwidth[1]': 'fast' is no bandwidth; write measured, or a number "
         "of "
         "GB/s from 0.001 to 1000000"},
        {HEAD TIER "roofline: {bandwidth: 0}\n", "field 'roofline.bandwidth': '0' is no bandwidth"},
        {HEAD TIER "roofline: {bandwidth: [240, 240.0]}\n", "bandwidth[1]': 240.0 is given twice"},
        {HEAD TIER "roofline: {device_bandwidth: [measured, measured]}\n",
         "field 'roofline.device_bandwidth[1]': measured is given twice"},
        {HEAD TIER "roofline: {device_bandwidth: {a: 1}}\n", "field 'roofline.device_bandwidth'"},
        {HEAD TIER TIER, "given twice"},
        {HEAD TIER "  - name: naive\n    sources: [x.c]\n    compile: cc {out} {src}\n",
         ":11: field 'tiers[1].name': there are two tiers"},
        {HEAD TIER "  - name: Big\n    sources: [x.c]\n    compile: cc {out} {src}\n", "a-z"},
        {HEAD TIER "  - name: b\n    compile: cc {out} {src}\n", "tiers[1].sources': is missing"},
        {HEAD TIER "  - name: b\n    sources: [../x.c]\n    compile: cc {out} {src}\n",
         "not a plain file name"},
        {HEAD TIER "  - name: b\n    sources: [x.c]\n    compile: cc {src}\n", "must use {out}"},
        {HEAD TIER "  - name: b\n    sources: [x.c]\n    compile: cc {out} {src} {xyz}\n",
         "unknown placeholder"},
        {HEAD TIER "    attest: [vectors]\n",
         ":11: field 'tiers[0].attest[0]': 'vectors' is not one"},
        {HEAD TIER "    attest: [simd, simd]\n",
         "field 'tiers[0].attest[1]': 'simd' is given twice"},
        {HEAD TIER "    attest: threads\n", "a launch of several threads"},
        {HEAD TIER "    threads: [1]\n    attest: [simd, threads]\n",
         ":12: field 'tiers[0].attest[1]': needs a tier of kind cpu"},
        {HEAD TIER "    attest: [ranks]\n", "only tiers of kind mpi and mpi_cuda have ranks"},
        {HEAD TIER "    attest: [kernels]\n", "only tiers of kind cuda and openacc launch kernels"},
        {HEAD TIER "    attest: {simd: yes}\n", "field 'tiers[0].attest'"},
        {HEAD TIER "  - {name: c, kind: cuda, sources: [c.cu], compile: 'nvcc {out} {src}',\n"
                   "     attest: [simd]}\n",
         "run on a processor's vectors"},
        {HEAD TIER "    pragmas: sometimes\n",
         ":11: field 'tiers[0].pragmas': 'sometimes' is not one of: allow, flag, forbid"},
        {HEAD TIER "    pragmas: [flag]\n", ":11: field 'tiers[0].pragmas': is a list"},
        {HEAD TIER "    pragmas:\n", "field 'tiers[0].pragmas': '' is not one of"},
        {HEAD "sanitized: on\n" TIER,
         ":7: field 'sanitized': 'on' is not one of: remark, verdict, off"},
        {HEAD "sanitized: [off]\n" TIER, ":7: field 'sanitized': is a list"},
        {HEAD TIER "    sanitized: off\n", "unknown key 'sanitized'"},
        {HEAD TIER "profiles: [{name: p, sanitized: no}]\n",
         "field 'profiles[0].sanitized': 'no' is not one of"},
        {HEAD "pragmas: Forbid\n" TIER, ":7: field 'pragmas': 'Forbid' is not one of: allow, flag"},
        {HEAD TIER "    kind: gpu\n", "is not one of: cpu, mpi, cuda, openacc"},
        {HEAD TIER "    kind: mpi\n", "needs a launcher"},
        {HEAD TIER "    kind: mpi\n    launcher: mpirun\n", "must use {ranks}"},
        {HEAD TIER "    ranks: [2]\n", "only tiers of kind mpi"},
        {HEAD TIER "    threads: [0]\n", "tiers[0].threads[0]"},
        {HEAD TIER "    points: {metric: fun}\n", "is not one of"},
        {HEAD TIER "    points: {speed: [{points: 1, curve: [[2, 0], [1, 1]]}]}\n", "must rise"},
        {HEAD TIER "    points: {speed: [{points: 1, curve: [[1, 1], [2, 0]]}]}\n",
         "must not fall"},
        {HEAD TIER "    points: {speed: [{points: 1, curve: [[1]]}]}\n", "expected a pair"},
        {HEAD TIER "    points: {speed: [{points: 1, curve: [[1, 2]]}]}\n", "between 0 and 1"},
        {HEAD TIER "    points: {speed: [{curve: [[1, 1]]}]}\n", "points': is missing"},
        {HEAD TIER "  - {name: c, kind: cuda, sources: [c.cu], compile: 'nvcc {out} {src}',\n"
                   "     yardstick: c, sizes: [1024, 4096],\n"
                   "     points: {speed: [{points: 1, curve: [[1, 1]]}]}}\n",
         ":13: field 'tiers[1].points.speed[0]': there is no speed-up at 4096: no tier "
         "beside the yardstick 'naive'"},
        {HEAD TIER "    requires: [{hint: x}]\n", "needs a command or a file"},
        /* Keys */
        {"Name: a\n", ":1: unknown key 'Name'; did you mean 'name'?"},
        {HEAD "limits: {mem: 1G}\n" TIER, "limits': unknown key 'mem'; did you mean 'memory'?"},
        {HEAD "limits: {colour: 1}\n" TIER, "known here: build, case, unit"},
        {HEAD "limits: {\"case\\0\": 1}\n" TIER, "a key must be a plain word"},
        {HEAD "limits: {[1]: 1}\n" TIER, "a key must be a plain word"},
        {HEAD "limits:\n  <<: {case: 1s}\n" TIER, ":8: field 'limits': merge keys"},
        {HEAD "limits: 3\n" TIER, "field 'limits': expected a mapping"},
        {HEAD "limits: [case]\n" TIER, "field 'limits': expected a mapping"},
        /* Single values */
        {HEAD "title:\n" TIER, "field 'title': is empty"},
        {HEAD "title: [x]\n" TIER, "field 'title': is a list"},
        {HEAD "title: {x: y}\n" TIER, "field 'title': is a mapping"},
        {HEAD "title: \"a\\0b\"\n" TIER, "field 'title': holds a NUL"},
        {HEAD "title: \"a\\nb\"\n" TIER, "must be one line"},
        {HEAD "title: \"\\e[31mred\"\n" TIER, "without control characters"},
        {HEAD "seed: \"\\e[31m\"\n" TIER, "'?[31m' is not a number"},
        {HEAD "seed: 18446744073709551616\n" TIER, "not a number from 0 to 2^64 - 1"},
        {HEAD "seed: ~\n" TIER, "'~' is not a number"},
        {HEAD "limits: {processes: 99999999999999999999}\n" TIER, "is not between 1 and"},
        {HEAD "limits: {processes: +4}\n" TIER, "is not a whole number"},
        {HEAD "limits: {processes: 4.0}\n" TIER, "is not a whole number"},
        {HEAD "limits: {processes: 0x10}\n" TIER, "is not a whole number"},
        {HEAD "limits: {case: 0s}\n" TIER, "must be longer than 0"},
        {HEAD "limits: {case: 10:00}\n" TIER, "is not a time"},
        {HEAD "limits: {memory: 0}\n" TIER, "must be more than 0"},
        {HEAD "limits: {memory: 9999999T}\n" TIER, "too large"},
        {HEAD "performance: {precision: .nan}\n" TIER, "is not a number"},
        {HEAD "performance: {precision: 1e999}\n" TIER, "1e999 is too large for a double"},
        {HEAD "performance: {quiet_node: maybe}\n" TIER, "neither true nor false"},
        /* Lists */
        {HEAD "performance: {sizes: [64, 64x64x64]}\n" TIER,
         "field 'performance.sizes[1]': the size 64x64x64 is given twice"},
        {HEAD "performance: {sizes: [[64]]}\n" TIER, "performance.sizes[0]': is a list"},
        {HEAD "performance: {sizes: [0]}\n" TIER, "performance.sizes[0]"},
        {HEAD "performance: {sizes: [-5]}\n" TIER, "performance.sizes[0]"},
        {HEAD "correctness: {stress_threads: [3, 3]}\n" TIER, "3 is given twice"},
        {HEAD "correctness: {stress_time: 0s}\n" TIER, "must be longer than 0"},
        {HEAD TIER "    threads: [1, 2, 1]\n", "tiers[0].threads[2]': 1 is given twice"},
        {HEAD TIER "    threads: []\n", "the list is empty"},
        {HEAD TIER "    sizes: []\n", "the list is empty"},
        {HEAD "tiers: {name: naive}\n", "field 'tiers': expected a list"},
        {HEAD "tiers: [naive]\n", "field 'tiers[0]': expected a mapping"},
        /* Commands */
        {HEAD TIER "    compile_cxx: g++ {out}\n", "compile_cxx': the command must use {src}"},
        {HEAD TIER "    compile_cxx: g++ {src} -o {out} {ranks}\n", "'{ranks}'; known here: {src}"},
        {HEAD TIER "    compile_cxx: g++ {src} -o {out} {\n", "unknown placeholder '{'"},
        {HEAD TIER "    compile_cxx: g++ {src} -o {out} 2>&1 | tee log\n",
         "there is no shell: '2>&1'"},
        {HEAD TIER "    compile_cxx: g++ $CFLAGS {src} -o {out}\n",
         "there is no shell: the $ in $CFLAGS would be passed to the program as it is"},
        {HEAD TIER "    compile_cxx: g++ \"-DA=1 2\" {src} -o {out}\n", "the \" in \"-DA=1 would"},
        {HEAD TIER "    compile_cxx: g++ -DA='x' {src} -o {out}\n", "the ' in -DA='x' would"},
        {HEAD TIER "    compile_cxx: g++ `flags` {src} -o {out}\n", "the ` in `flags` would"},
        {HEAD TIER "    compile_cxx: '&& g++ {src} -o {out}'\n",
         "compile_cxx': '&&' needs a command on both sides"},
        {HEAD TIER "    compile_cxx: g++ {src} -o {out} &&\n", "needs a command on both sides"},
        {HEAD TIER "    compile_cxx: g++ {src} && && true {out}\n",
         "needs a command on both sides"},
        {HEAD TIER "    compile_cxx: g++ -c {src}&& g++ -o {out}\n",
         "'{src}&&': there must be blanks on both sides of '&&'"},
        {HEAD TIER "  - {name: m, kind: mpi, sources: [m.c], compile: 'mpicc {out} {src}',\n"
                   "     launcher: 'mpirun -n {ranks} &&'}\n",
         "launcher': '&&' is for compile commands only"},
        {HEAD TIER "    compile_cxx: \"g++ {src} -o {out} \\x01\"\n", "control character"},
        {HEAD TIER "    launcher: mpirun -n {ranks}\n",
         "only tiers of kind mpi and mpi_cuda have a launcher"},
        {HEAD TIER "    kind: mpi\n    launcher: mpirun -n {ranks} {src}\n",
         "'{src}'; known here: {ranks} {threads}"},
        /* Tiers */
        {HEAD TIER "    sources: [x.c]\n", "the key 'sources' is given twice"},
        {HEAD TIER "  - name: b\n    sources: [x.c, x.c]\n    compile: cc {out} {src}\n",
         "'x.c' is given twice"},
        {HEAD TIER "  - name: b\n    sources: ['a b.c']\n    compile: cc {out} {src}\n",
         "not a plain file name"},
        {HEAD TIER "  - name: b\n    sources: [-o.c]\n    compile: cc {out} {src}\n",
         "not a plain file name"},
        {HEAD TIER "  - name: ../b\n    sources: [x.c]\n    compile: cc {out} {src}\n", "a-z"},
        {HEAD TIER "  - name: -b\n    sources: [x.c]\n    compile: cc {out} {src}\n",
         "does not start with '-'"},
        {"name: " A65 "\n", "at most 64 characters"},
        /* Points */
        {HEAD TIER "    points: {speed: [{size: 77, points: 1, curve: [[1, 1]]}]}\n",
         "speed[0].size': the size 77 is not measured in this tier, whose sizes are: 256, 512"},
        {HEAD TIER "    sizes: 64\n"
                   "    points: {speed: [{size: 512, points: 1, curve: [[1, 1]]}]}\n",
         "whose sizes are: 64"},
        {HEAD TIER "    points: {speed: [{size: 512, points: 1, curve: [[1, 1]]}, "
                   "{size: 512, points: 1, curve: [[1, 1]]}]}\n",
         "two rules for the size 512"},
        {HEAD TIER "    points: {speed: [{points: 1, curve: [[1, 1]]}, "
                   "{points: 1, curve: [[1, 1]]}]}\n",
         "two rules for every size"},
        {HEAD TIER "    points: {speed: [{points: 1, curve: []}]}\n", "at least one"},
        {HEAD TIER "    points: {speed: [{points: 1}]}\n", "curve': is missing"},
        {HEAD TIER "    points: {speed: [{points: 1, curve: [[1, 0], [1, 1]]}]}\n", "must rise"},
        {HEAD TIER "    points: {correct: -1}\n", "is not between 0 and"},
        /* Slurm */
        {HEAD "performance: {sizes: 20000}\nslurm: {memory: 2G}\n" TIER,
         ":8: field 'slurm.memory': 2048 MiB is too little for the tier 'naive'"},
        {HEAD "performance: {sizes: 64}\nslurm: {memory: 1030M}\n" TIER,
         ":8: field 'slurm.memory': 1030 MiB is too little for the tier 'naive'"},
        {HEAD "performance: {sizes: 20000}\nslurm: {memory: 20G}\n" TIER
              "    slurm: {memory: 2G}\n",
         "field 'tiers[0].slurm.memory': 2048 MiB is too little"},
        {HEAD "correctness: {max: 20000}\nslurm: {memory: 2G}\n" TIER, "matrices of size 20000"},
        {HEAD "limits: {build: 1m, unit: 1m}\nslurm: {time: 2m}\n" TIER, "together (120 s)"},
        {HEAD "slurm: {cpus: 0}\n" TIER, "field 'slurm.cpus'"},
        {HEAD "forbid: [dlopen, 'rm -rf']\n" TIER,
         ":7: field 'forbid[1]': 'rm -rf' is not a pattern of function names"},
        {HEAD "allow: [standard, 'numa *']\n" TIER,
         ":7: field 'allow[1]': 'numa *' is not a pattern of function names"},
        {HEAD "allow: {malloc: yes}\n" TIER, "field 'allow'"},
        {HEAD TIER "    allow: ['']\n", "field 'tiers[0].allow[0]': is empty"},
        {HEAD "forbid: ['']\n" TIER, "field 'forbid[0]': is empty"},
        {HEAD "forbid: '*'\n" TIER, "'*' would forbid every function"},
        {HEAD "protections: [seccomp, landlok]\n" TIER,
         ":7: field 'protections[1]': 'landlok' is not one of: landlock, "},
        {HEAD "protections: [seccomp, seccomp]\n" TIER,
         "field 'protections[1]': 'seccomp' is given"},
        {HEAD "protections: {seccomp: yes}\n" TIER, "field 'protections'"},
        {HEAD "protections: ['']\n" TIER, "field 'protections[0]': is empty"},
        {HEAD "forbid: {dlopen: yes}\n" TIER, "field 'forbid'"},
        {HEAD "slurm: {extra: --array=0-9}\n" TIER, "set by Paragrade itself"},
        {HEAD "slurm: {extra: -o/dev/null}\n" TIER, "set by Paragrade itself"},
        {HEAD "slurm: {extra: --mem=1G}\n" TIER, "there is a field for this: memory"},
        /* Further sources, adapters */
        {HEAD TIER "    with: ['*.c']\n", "'*.c' also fits naive.c, which is compiled anyway"},
        {HEAD TIER "    with: [/etc/x.c]\n",
         "field 'tiers[0].with[0]': '/etc/x.c' is not a pattern"},
        {HEAD TIER "    with: [../x.c]\n", "'../x.c' is not a pattern"},
        {HEAD TIER "    with: [lib/../../x.c]\n", "'lib/../../x.c' is not a pattern"},
        {HEAD TIER "    with: ['a b.c']\n", "'a b.c' is not a pattern"},
        {HEAD TIER "    with: ['-x.c']\n", "'-x.c' is not a pattern"},
        {HEAD TIER "    with: ['']\n", "field 'tiers[0].with[0]'"},
        {HEAD TIER "    adapter: adapter\n", "field 'tiers[0].adapter': 'adapter' has no suffix"},
        {HEAD TIER "    adapter: ../adapter\n", "'../adapter' has no suffix"},
        {HEAD TIER "    adapter: ../a.d/adapter\n", "'../a.d/adapter' has no suffix"},
        {HEAD "tiers:\n  - name: naive\n    sources: [a.c, matrix.cpp]\n"
              "    compile: g++ -o {out} {src}\n",
         ":9: field 'tiers[0].sources': matrix.cpp is C++, and the tier has no compile_cxx, the "
         "command for C++ sources (it may be the same as compile)"},
        {HEAD TIER "    with: ['lib/*.cc']\n", "field 'tiers[0].with': lib/*.cc is C++, and the"},
        {HEAD TIER "    adapter_for: all\n", "adapter_for': the tier has no adapter"},
        {HEAD TIER "    adapter: a.c\n    adapter_for: reference\n",
         "adapter_for': 'reference' is not one of: submissions, all"},
        {HEAD "tiers:\n  - name: naive\n    sources: [src/../naive.c]\n",
         ":9: field 'tiers[0].sources': 'src/../naive.c' is not a plain file name or relative "
         "path"},
        {HEAD "tiers:\n  - name: naive\n    sources: [/naive.c]\n", "'/naive.c' is not a plain"},
        {HEAD "tiers:\n  - name: naive\n    sources: [src//naive.c]\n", "'src//naive.c' is not a"},
        {HEAD "tiers:\n  - name: naive\n    sources: [src/]\n", "'src/' is not a plain"},
        {HEAD "directory: ../x\n" TIER, ":7: field 'directory': '../x' is not a relative path"},
        {HEAD "directory: ''\n" TIER, ":7: field 'directory': is empty"},
        {HEAD "directory: src/\n" TIER, "field 'directory': 'src/' is not"},
        /* Flags */
        {HEAD "flags: -O3\n" TIER, ":7: field 'flags': expected a mapping"},
        {HEAD "flags: {O: '-O3'}\ntiers:\n  - name: naive\n    sources: [naive.c]\n"
              "    compile: gcc {P} -o {out} {src}\n",
         ":11: field 'tiers[0].compile': unknown placeholder '{P}'; known here: {src} {out} {abi} "
         "{dir} {gencode} {O}"},
        {HEAD "flags:\n  O: -O3\n  O: -O2\n" TIER,
         ":9: field 'flags.O': the key 'O' is given twice"},
        {HEAD "flags: {src: x}\n" TIER,
         "field 'flags.src': {src} means something else in commands"},
        {HEAD "flags: {3O: x}\n" TIER, "'3O': a flag's name has letters, digits and '_'"},
        {HEAD "flags: {O: '{P}', P: x}\n" TIER, "'{P}'; known here: {abi} {dir}"},
        {HEAD "flags: {O: $HOME}\n" TIER, "field 'flags.O': there is no shell: the $ in $HOME"},
        {HEAD "flags: {O: 'a && b'}\n" TIER, "'&&' is for compile commands only"},
        /* Fixed dimensions */
        {HEAD "fixed: {L: 1}\n" TIER, "unknown key 'L'; did you mean 'M'?"},
        {HEAD "fixed: {K: 0}\n" TIER, "field 'fixed.K'"},
        {HEAD "fixed: {M: 2, N: 2, K: 2}\n" TIER, "all dimensions are fixed"},
        {HEAD "fixed: {K: 1}\nperformance: {sizes: [64, 64x64x2]}\n" TIER,
         ":8: field 'performance.sizes[1]': K is 2 here, but fixed to 1 for the whole assignment"},
        {SPARSE "fixed: {N: 2}\n" TIER, "unknown key 'N'; did you mean 'K'?"},
        {HEAD TIER "    adapter: a.cpp\n", "an adapter in C++ needs compile_cxx"},
        /* Shapes of a tier */
        {HEAD TIER "    shapes: round\n", "field 'tiers[0].shapes': 'round' is not one of: any"},
        {HEAD TIER "    multiple_of: 0\n", "field 'tiers[0].multiple_of'"},
        {HEAD TIER "    multiple_of: 257\n", "field 'tiers[0].multiple_of'"},
        {HEAD TIER "    shapes: square\n    sizes: [64, 64x64x32]\n",
         "field 'tiers[0].sizes[1]': the tier takes squares only, and 64x64x32 is none"},
        {HEAD TIER "    multiple_of: 16\nsweeps: [{name: s, tier: naive, threads: [1, 2], sizes: "
                   "[1000]}]\n",
         "field 'sweeps[0].sizes[0]': the tier takes multiples of 16 only, and 1000 is none"},
        {HEAD TIER "    multiple_of: 16\n    sizes: [64, 1023]\n",
         "the tier takes multiples of 16 only, and 1023 is none"},
        /* Kernels of tiers, and sizes with a structure */
        {SPARSE "performance: {sizes: [1024]}\n" TIER,
         ":7: field 'performance.sizes[0]': '1024' is not a size; write STRUCTURE:300x20x4000"},
        {SPARSE "performance: {sizes: ['poisson:100x8', 'cubic:100x8']}\n" TIER,
         "field 'performance.sizes[1]': 'cubic' is not a structure; there are: poisson, uniform-P"},
        {SPARSE "performance: {sizes: [uniform-3:5x6x7, uniform-3:5x6x7]}\n" TIER,
         "the size uniform-3:5x6x7 is given twice"},
        {HEAD "performance: {sizes: ['poisson:100x8']}\n" TIER, "'poisson:100x8' is not a size"},
        {SPARSE SPARSE_SIZE TIER "    kernel: spmm_coo\n",
         "field 'tiers[0].kernel': 'spmm_coo' is not one of: gemm"},
        {SPARSE SPARSE_SIZE TIER "    kernel: gemm\n",
         "field 'tiers[0].kernel': the kernel gemm (f64) is for another problem than spmm_csr"},
        {SPARSE SPARSE_SIZE TIER ELL,
         ":12: field 'tiers[1]': the tier 'ell' has the kernel spmm_ell, and its yardstick 'naive' "
         "has spmm_csr: it needs a yardstick with the same kernel"},
        {SPARSE SPARSE_SIZE TIER ELL "    yardstick: naive\n",
         "field 'tiers[1].yardstick': the tier"},
        {SPARSE SPARSE_SIZE TIER "    kernel: spmm_ell\n    yardstick: naive\n"
                                 "  - {name: b, sources: [b.c], compile: 'gcc {out} {src}'}\n",
         "field 'tiers[1]': the tier 'b' has the kernel spmm_csr"},
        {"name: a\nkernel: spmm_csr\ntype: f64\nreference: ref\nbaseline: naive\nyardstick: "
         "ell\n" SPARSE_SIZE TIER ELL,
         ":6: field 'yardstick': has the kernel spmm_ell, and the baseline has spmm_csr"},
        {SPARSE SPARSE_SIZE TIER ELL "    yardstick: ell\n    sizes: [rmat-16:262144x8]\n",
         "field 'tiers[1].sizes[0]': 'rmat-16:262144x8': col would have 262144 x 30013 elements, "
         "more than 2^31 - 1 (31 GB)"},
        {SPARSE SPARSE_SIZE TIER ELL "    yardstick: ell\n    sizes: [poisson:900x8]\n"
                                     "    points: {speed: [{points: 1, curve: [[1, 1]]}]}\n",
         "there is no speed-up at poisson:900x8: no tier beside the yardstick 'naive'"},
        /* Matrices from files */
        {SPARSE "performance: {sizes: ['poisson:100x8', m/broken.mtx:8]}\n" TIER,
         "m/broken.mtx:3: row: 0 is not between 1 and 3"},
        {SPARSE "performance: {sizes: ['poisson:100x8', m/broken.mtx:8]}\n" TIER,
         "a.yaml:7: field 'performance.sizes[1]': /"},
        {SPARSE "performance: {sizes: [m/nowhere.mtx:8]}\n" TIER,
         "m/nowhere.mtx: No such file or directory"},
        {SPARSE "performance: {sizes: [../m/a.mtx:8]}\n" TIER, "'../m/a.mtx' cannot be the path"},
        {SPARSE "performance: {sizes: [m/a.mtx:8, m/a.mtx:8]}\n" TIER,
         "field 'performance.sizes[1]': the size m/a.mtx:8 is given twice"},
        {HEAD "performance: {sizes: ['m/a.mtx:8']}\n" TIER,
         "'m/a.mtx:8' is not a size; write 1024"},
        {SPARSE "performance: {sizes: [m/a.mtx:8]}\n" TIER
                "    points: {speed: [{size: 'm/a.mtx:9', points: 1, curve: [[1, 1]]}]}\n",
         "the size m/a.mtx:9 is not measured in this tier, whose sizes are: m/a.mtx:8"},
        {SPARSE SPARSE_SIZE TIER "profiles: [{name: q, sizes: [m/nowhere.mtx:8]}]\n",
         "field 'profiles[0].sizes[0]': "},
        /* Profiles */
        {HEAD TIER "profiles: [{name: q}, {name: q}]\n", "two profiles named 'q'"},
        {HEAD TIER "profiles: [{random: 3}]\n", "profiles[0].name': is missing"},
        {HEAD "correctness: {min: 50}\n" TIER "profiles: [{name: q, max: 20}]\n",
         "is not between 50 and"},
        {HEAD TIER "profiles: [{name: q, limits: {case: 21s}}]\n",
         "profiles[0].limits.case': is more than limits.case of the assignment"},
        {HEAD TIER "profiles: [{name: q, limits: {unit: 11m}}]\n", "is more than limits.unit"},
        {HEAD TIER "profiles: [{name: q, limits: {unit: 10s}}]\n", "is shorter than limits.case"},
        {HEAD TIER "profiles: [{name: q, limits: {failures: 4}}]\n", "limits.failures'"},
        {HEAD TIER "profiles: [{name: q, limits: {memory: 1M}}]\n", "unknown key 'memory'"},
        {HEAD TIER "profiles: {quick: {random: 3}}\n", "field 'profiles': expected a list"},
        {"name: a\nkernel: spam\n", "field 'kernel'"},
        {"name: a\nkernel: gemm\ntype: f16\n", "field 'type'"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct assignment *a = NULL;
        struct err e = ERR_INIT;
        if (load(table[i].text, &a, &e) == 0)
            fail_msg("accepted:\n%s", table[i].text);
        assert_null(a);
        assert_int_equal(e.kind, ERR_INPUT);
        if (!strstr(e.text, table[i].says))
            fail_msg("said '%s', not '%s'", e.text, table[i].says);
        assert_non_null(strstr(e.text, "a.yaml"));
    }
}

static int load_bytes(const char *data, size_t n, struct err *e)
{
    struct assignment *a;
    assert_int_equal(fs_write_atomic(file, data, n, NULL), 0);
    int rc = assignment_load(file, &a, e);
    assignment_free(a);
    return rc;
}

/* Bytes that are no text, and what editors add to text. */
TEST(odd_bytes)
{
#define BYTES(text) text, sizeof(text) - 1
    static const struct {
        const char *data;
        size_t n;
        const char *says; /* NULL: good */
    } table[] = {
        {BYTES("name: a\n\0\n"), ":2: not UTF-8 text"},
        {BYTES("name: a\nkernel: \xff\n"), ":2: not UTF-8 text"},
        {BYTES("name: a\n\n\ntitle: \xc3\n"), ":4: not UTF-8 text"},
        {BYTES("name: \xed\xa0\x80\n"), ":1: not UTF-8 text"}, /* half of a surrogate pair */
        {BYTES("\xff\xfen\0a\0"), ":1: this is UTF-16"},
        {BYTES("\xfe\xff\0n\0a"), ":1: this is UTF-16"},
        {BYTES("\xef\xbb\xbf"), ":1: the file is empty"},
        {BYTES("# only a comment\n"), ":1: the file is empty"},
        {BYTES("---\n...\n"), ":2: expected a mapping"},
        {BYTES("name: a\nlimits:\n\tcase: 1s\n"), ":3: not YAML: indented with a tab"},
        {BYTES("name: 'a\n"), "not YAML"},
        {BYTES("name: *nobody\n"), ":1: not YAML: found undefined alias"},
        {BYTES(HEAD TIER "---\nname: b\n"), ":11: a second document"},
        {BYTES("\xef\xbb\xbf" HEAD TIER), NULL},
        {BYTES("# gr\xc3\xbc\xc3\x9f\n---\n" HEAD TIER "...\n"), NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        int rc = load_bytes(table[i].data, table[i].n, &e);
        if ((rc == 0) != !table[i].says)
            fail_msg("row %zu: rc %d, '%s'", i, rc, e.text);
        if (table[i].says && (!strstr(e.text, table[i].says) || e.kind != ERR_INPUT))
            fail_msg("row %zu: said '%s', not '%s'", i, e.text, table[i].says);
    }
}

TEST(line_ends_of_windows)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    for (const char *p = HEAD TIER; *p; p++)
        strbuf_adds(&sb, *p == '\n' ? "\r\n" : (char[]){*p, '\0'});
    struct err e = ERR_INIT;
    if (load_bytes(sb.s, sb.len, &e) != 0)
        fail_msg("%s", e.text);
    strbuf_adds(&sb, "seed: x\r\n");
    assert_int_equal(load_bytes(sb.s, sb.len, &e), -1);
    assert_non_null(strstr(e.text, ":11: field 'seed': 'x' is not"));
}

/* Small files that would take minutes or gigabytes if nothing were bounded. */
TEST(bombs)
{
    static const struct {
        const char *head, *repeated;
        int times;
        const char *says;
    } table[] = {
        {"", "[", 1000000, ":1: nested too deeply"},
        {"tiers: ", "{a: ", 200000, ":1: nested too deeply"},
        {"", "- ", 400000, "nested too deeply"},
        {"", "? ", 400000, "nested too deeply"},
        {HEAD, "&a a: 1\n", 50000, "too many anchors"},
        {HEAD "tiers: &t [", "*t, ", 100000, "not YAML"},
        {HEAD "profiles:\n", "  - *a\n", 10, "undefined alias"},
        {HEAD "title: &a x\ntiers:\n", "  - *a\n", 100000, "at most 100 are taken"},
        {HEAD "performance:\n  sizes:\n", "    - 7\n", 101, "at most 100 are taken"},
        {HEAD TIER "    threads:\n", "      - 1\n", 5000, "at most 100 are taken"},
        {HEAD, "#", 2000000, "is larger than"},
        {HEAD "title: ", "x", 1000000, "field 'tiers': is missing"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
        struct err e = ERR_INIT;
        strbuf_adds(&sb, table[i].head);
        for (int k = 0; k < table[i].times; k++)
            strbuf_adds(&sb, table[i].repeated);
        int rc = load_bytes(sb.s, sb.len, &e);
        if (rc == 0 || e.kind != ERR_INPUT || !strstr(e.text, table[i].says))
            fail_msg("row %zu: rc %d, said '%s', not '%s'", i, rc, e.text, table[i].says);
    }
}

/* A list that holds itself, and values by alias: as good as written out. */
TEST(aliases)
{
    struct assignment *a;
    struct err e = ERR_INIT;
    assert_int_equal(load(HEAD "tiers: &t [*t]\n", &a, &e), -1);
    assert_non_null(strstr(e.text, "field 'tiers[0]': expected a mapping"));
    a = loaded(HEAD "tiers:\n"
                    "  - name: naive\n    sources: [naive.c]\n    compile: &cc cc -o {out} {src}\n"
                    "  - name: other\n    sources: [other.c]\n    compile: *cc\n");
    assert_string_equal(a->tiers[1].compile, "cc -o {out} {src}");
    assignment_free(a);
}

TEST(missing_and_odd_files)
{
    struct assignment *a;
    struct err e = ERR_INIT;
    assert_int_equal(assignment_load("/nowhere.yaml", &a, &e), -1);
    assert_int_equal(e.kind, ERR_INPUT);
    assert_int_equal(assignment_load(test_dir, &a, &e), -1);
    assert_non_null(strstr(e.text, "is a directory"));
    assert_int_equal(assignment_load("/dev/zero", &a, &e), -1);
    assert_int_equal(e.kind, ERR_INPUT);
    OWNED char *fifo = at("fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(assignment_load(fifo, &a, &e), -1);
    if (geteuid() != 0) { /* root may read everything */
        assert_int_equal(fs_write_atomic(file, "x", 1, NULL), 0);
        assert_int_equal(chmod(file, 0), 0);
        assert_int_equal(assignment_load(file, &a, &e), -1);
        assert_int_equal(e.kind, ERR_INPUT);
    }
    assert_null(a);
}

TEST(unknown_tier_names)
{
    struct assignment *a;
    struct err e = ERR_INIT;
    assert_int_equal(load("name: a\nkernel: gemm\ntype: i32\nreference: r\nbaseline: slow\n"
                          "yardstick: naive\n" TIER,
                          &a, &e),
                     -1);
    assert_non_null(strstr(e.text, ":5: field 'baseline': there is no tier named 'slow'; there "
                                   "are: naive"));
    static const char gpu[] =
        "  - {name: gpu, kind: cuda, sources: [x.cu], compile: 'nvcc -o {out} {src}'}\n";
    OWNED char *text = xasprintf("name: a\nkernel: gemm\ntype: i32\nreference: r\nbaseline: naive\n"
                                 "yardstick: gpu\n" TIER "%s",
                                 gpu);
    assert_int_equal(load(text, &a, &e), -1);
    assert_non_null(strstr(e.text, ":6: field 'yardstick': 'gpu' is not a tier of kind cpu"));
}

/* Of the assignment's sizes, a tier gets those that it takes: here all but 1023. */
TEST(sizes_it_takes)
{
    static const int expected[] = {256, 512, 1024, 2048};
    struct assignment *a = loaded(HEAD TIER "    multiple_of: 16\n");
    assert_int_equal(tier_size_count(a, &a->tiers[0]), 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(tier_size(a, &a->tiers[0], i).dim[0], expected[i]);
    assignment_free(a);
}

/* Two ways to store a matrix in one assignment. The sizes that one of them cannot take are left
 * out.
 */
TEST(kernels_of_tiers)
{
    struct assignment *a = loaded(
        SPARSE
        "performance: {sizes: [poisson:100x8, rmat-16:262144x8, uniform-3:50x60x7]}\n" TIER ELL
        "    yardstick: ell\n");
    const struct tier *csr = &a->tiers[0], *ell = &a->tiers[1];
    assert_string_equal(csr->kernel->name, "spmm_csr");
    assert_string_equal(ell->kernel->name, "spmm_ell");
    assert_int_equal(tier_size_count(a, csr), 3);
    assert_int_equal(tier_size_count(a, ell), 2);
    assert_int_equal(tier_size(a, ell, 1).structure.family, STRUCTURE_UNIFORM);
    assert_int_equal(tier_size(a, ell, 1).derived[0], 150); /* it is complete */
    assert_true(yardstick_has_baseline(a, "naive"));
    assert_false(yardstick_has_baseline(a, "ell"));
    assert_string_equal(tier_yardstick_on_host(a, csr), "naive");
    assert_string_equal(tier_yardstick_on_host(a, ell), "ell");
    assignment_free(a);
}

/* Sizes can name files beside the assignment, or below another directory for a copy of it. */
TEST(matrices_of_sizes)
{
    put_at("m/a.mtx", MATRIX "3 4 2\n1 1\n3 4\n");
    put_at("b.mtx", MATRIX "5 5 0\n");
    struct assignment *a =
        loaded(SPARSE "performance: {sizes: [m/a.mtx:8, poisson:100x8, m/a.mtx:2]}\n" TIER ELL
                      "    yardstick: ell\n    sizes: [b.mtx:1]\n"
                      "profiles: [{name: q, sizes: [b.mtx:1, m/a.mtx:8]}]\n");
    assert_int_equal(a->matrices->count, 2);
    assert_ptr_equal(a->performance.sizes[0].structure.matrix, a->matrices->matrix[0]);
    assert_ptr_equal(a->performance.sizes[2].structure.matrix, a->matrices->matrix[0]);
    assert_ptr_equal(a->profiles[0].sizes[0].structure.matrix, a->matrices->matrix[1]);
    assert_int_equal(a->performance.sizes[0].dim[1], 4);
    assert_int_equal(a->performance.sizes[0].derived[0], 2);
    assert_true(shape_equal(tier_size(a, &a->tiers[1], 0), a->profiles[0].sizes[0]));
    assignment_free(a);
    OWNED char *elsewhere = at("elsewhere");
    struct err e = ERR_INIT;
    assert_int_equal(assignment_load_copy(file, elsewhere, NULL, &a, &e), -1);
    assert_non_null(strstr(e.text, "elsewhere/m/a.mtx: No such file or directory"));
    put_at("elsewhere/m/a.mtx", MATRIX "7 8 1\n1 1\n");
    put_at("elsewhere/b.mtx", MATRIX "5 5 0\n");
    assert_int_equal(assignment_load_copy(file, elsewhere, NULL, &a, &e), 0);
    assert_int_equal(a->performance.sizes[0].dim[0], 7);
    assignment_free(a);
}

TEST(defaults_and_overlays)
{
    struct assignment *a = loaded(HEAD "slurm: {cpus: 2, partition: big}\n" TIER
                                       "    slurm: {cpus: 8, gres: 'gpu:1'}\n    threads: [1, 2]\n"
                                       "profiles: [{name: quick, random: 3, sizes: [64]}]\n");
    assert_int_equal(a->correctness.random, 30);
    assert_int_equal(a->performance.sizes_count, 5);
    struct resources r = tier_resources(a, &a->tiers[0]);
    assert_int_equal(r.cpus_per_task, 8);
    assert_string_equal(r.partition, "big");
    assert_string_equal(r.gres, "gpu:1");
    assert_int_equal(tier_launch_count(&a->tiers[0]), 2);
    assert_int_equal(tier_launch(&a->tiers[0], 1).threads, 2);
    OWNED char *reference = at("ref");
    assert_string_equal(a->reference, reference);
    struct err e = ERR_INIT;
    assert_int_equal(assignment_prepare(a, false, "slow", NULL, &e), -1);
    assert_non_null(strstr(e.text, "quick"));
    take_profile(a, "quick");
    assert_int_equal(a->correctness.random, 3);
    assert_int_equal(tier_size_count(a, &a->tiers[0]), 1);
    assert_int_equal(tier_size(a, &a->tiers[0], 0).dim[1], 64);
    assignment_free(a);
}

static const struct {
    const char *key;
    bool launcher;
    const char *text; /* of the tier, after name, sources and compile */
    enum launch_kind kind;
    unsigned launches;
    int ranks[4], threads[4];
} launch_table[] = {
    {"nothing given", false, "", LAUNCH_CPU, 1, {1}, {1}},
    {"one number", false, ", threads: 4", LAUNCH_CPU, 1, {1}, {4}},
    {"threads", false, ", threads: [1, 2]", LAUNCH_CPU, 2, {1, 1}, {1, 2}},
    {"ranks", true, ", kind: mpi, ranks: [1, 4]", LAUNCH_MPI, 2, {1, 4}, {1, 1}},
    {"grid, ranks outer",
     true,
     ", kind: mpi, ranks: [1, 2], threads: [1, 3]",
     LAUNCH_MPI,
     4,
     {1, 1, 2, 2},
     {1, 3, 1, 3}},
    {"cuda", false, ", kind: cuda", LAUNCH_CUDA, 1, {1}, {1}},
    {"one node",
     true,
     ", kind: mpi, ranks: [1, 2], nodes: 1, ranks_per_node: 4",
     LAUNCH_MPI,
     3,
     {1, 2, 4},
     {1, 1, 1}},
    {"one node with ranks that are given anyway",
     true,
     ", kind: mpi, ranks: [1, 4], nodes: [1], ranks_per_node: 4",
     LAUNCH_MPI,
     2,
     {1, 4},
     {1, 1}},
};

/* As the file will say it: ranks: [1, 4], threads: [1, 2], nodes: [2, 3], ranks_per_node: 4. */
TEST(launches_on_nodes)
{
    const char *const expected[] = {"1x1",   "1x2",   "4x1",    "4x2",
                                    "8x1@2", "8x2@2", "12x1@3", "12x2@3"};
    const struct tier t = {.ranks = (int[]){1, 4},
                           .ranks_count = 2,
                           .threads = (int[]){1, 2},
                           .threads_count = 2,
                           .nodes = (int[]){2, 3},
                           .nodes_count = 2,
                           .ranks_per_node = 4};
    assert_int_equal(tier_launch_count(&t), 8);
    for (unsigned i = 0; i < 9;
         i++) /* on one node, and once on the most nodes; 8: a stress launch */
        assert_int_equal(tier_checks(&t, i), i < 4 || i >= 7);
    for (unsigned i = 0; i < 8; i++) {
        char text[LAUNCH_TEXT];
        launch_format(tier_launch(&t, i), text);
        assert_string_equal(text, expected[i]);
    }
}

/* A job has the nodes of the tier's largest launch, and Slurm gives no more nodes than tasks. */
TEST(nodes_of_jobs)
{
    struct assignment *a =
        loaded(HEAD TIER MPI_TIER "ranks: 2, nodes: [1, 3, 2], ranks_per_node: 4}\n");
    const char *const expected[] = {"2x1", "4x1", "12x1@3", "8x1@2"};
    assert_int_equal(tier_launch_count(&a->tiers[1]), 4);
    for (unsigned i = 0; i < 4; i++) {
        char text[LAUNCH_TEXT];
        launch_format(tier_launch(&a->tiers[1], i), text);
        assert_string_equal(text, expected[i]);
    }
    assert_int_equal(tier_resources(a, &a->tiers[0]).nodes, a->slurm.nodes);
    assert_int_equal(tier_resources(a, &a->tiers[0]).tasks, a->slurm.tasks);
    assert_int_equal(tier_resources(a, &a->tiers[1]).nodes, 3);
    assert_int_equal(tier_resources(a, &a->tiers[1]).tasks, 3);
    assignment_free(a);
}

/* GPUs are innermost. Slurm is asked for the most, if the tier does not ask itself. */
TEST(launches_with_gpus)
{
    static const char *const expected[] = {"1x1", "1x1+4gpus", "1x2", "1x2+4gpus"};
    struct assignment *a = loaded(HEAD TIER CUDA_TIER "threads: [1, 2], gpus: [1, 4]}\n");
    const struct tier *t = &a->tiers[1];
    assert_int_equal(tier_launch_count(t), 4);
    for (unsigned i = 0; i < 4; i++) {
        char text[LAUNCH_TEXT];
        launch_format(tier_launch(t, i), text);
        assert_string_equal(text, expected[i]);
    }
    assert_int_equal(tier_gpus_most(&a->tiers[0]), 0);
    assert_int_equal(tier_gpus_most(t), 4);
    assert_string_equal(tier_resources(a, t).gres, "gpu:4");
    assignment_free(a);
    a = loaded(HEAD TIER CUDA_TIER "slurm: {gres: 'gpu:h100:4'}, gpus: 2}\n");
    assert_string_equal(tier_resources(a, &a->tiers[1]).gres, "gpu:h100:4");
    assignment_free(a);
    a = loaded(HEAD TIER CUDA_TIER "gpus: 1}\n");
    assert_null(tier_resources(a, &a->tiers[1]).gres);
    assignment_free(a);
    a = loaded(HEAD TIER "  - {name: b, sources: b.cu, compile: 'nvcc -o {out} {src}', "
                         "kind: mpi_cuda, launcher: 'm {ranks}', ranks: [1, 4]}\n");
    assert_int_equal(tier_gpus(&a->tiers[1], tier_launch(&a->tiers[1], 1)), 4);
    assert_string_equal(tier_resources(a, &a->tiers[1]).gres, "gpu:4");
    assignment_free(a);
}

/* More threads, where there are several; MPI's with few ranks. */
TEST(stress_launches)
{
    static const struct {
        const char *tier;
        unsigned count;
        struct launch launch[3];
    } table[] = {
        {"", 0, {{0}}},
        {", threads: [1]", 0, {{0}}},
        {", kind: cuda", 0, {{0}}},
        {", threads: [1, 2]", 3, {{1, 3, 1, 0}, {1, 7, 1, 0}, {1, 16, 1, 0}}},
        {", kind: mpi, launcher: 'm {ranks}', ranks: [4, 2]", 0, {{0}}},
        {", kind: mpi, launcher: 'm {ranks}', ranks: [4, 2, 1], threads: [2]",
         3,
         {{1, 3, 1, 0}, {2, 7, 1, 0}, {1, 16, 1, 0}}},
        {", kind: mpi, launcher: 'm {ranks}', ranks: [8, 4], threads: [1, 2]",
         3,
         {{4, 3, 1, 0}, {4, 7, 1, 0}, {4, 16, 1, 0}}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct assignment *a =
            loaded(HEAD "correctness: {stress_threads: [3, 7, 16]}\n" TIER
                        "  - {name: b, sources: b.c, compile: 'cc -o {out} {src}'%s}\n",
                   table[i].tier);
        assert_int_equal(a->correctness.stress_time_ms, 20);
        assert_int_equal(tier_stress_count(a, &a->tiers[1]), table[i].count);
        for (unsigned k = 0; k < table[i].count; k++) {
            assert_int_equal(tier_stress(a, &a->tiers[1], k).ranks, table[i].launch[k].ranks);
            assert_int_equal(tier_stress(a, &a->tiers[1], k).threads, table[i].launch[k].threads);
        }
        assignment_free(a);
    }
}

TEST(launches)
{
    for (size_t i = 0; i < sizeof launch_table / sizeof launch_table[0]; i++) {
        struct assignment *a =
            loaded(HEAD TIER "  - {name: b, sources: b.c, compile: 'cc -o {out} {src}'%s%s}\n",
                   launch_table[i].text,
                   launch_table[i].launcher ? ", launcher: 'mpirun -n {ranks}'" : "");
        const struct tier *t = &a->tiers[1];
        assert_int_equal(t->kind, launch_table[i].kind);
        assert_int_equal(tier_launch_count(t), launch_table[i].launches);
        for (unsigned k = 0; k < launch_table[i].launches; k++) {
            assert_int_equal(tier_launch(t, k).ranks, launch_table[i].ranks[k]);
            assert_int_equal(tier_launch(t, k).threads, launch_table[i].threads[k]);
            assert_int_equal(tier_launch(t, k).nodes, 1);
        }
        assignment_free(a);
    }
}

/* Long commands over several lines are one command. */
TEST(block_scalars)
{
    struct assignment *a = loaded(HEAD TIER "    compile_cxx: >\n"
                                            "      g++ -O2\n"
                                            "        -shared   -o {out}\n"
                                            "      {src}\n");
    assert_string_equal(a->tiers[0].compile_cxx, "g++ -O2 -shared -o {out} {src}");
    assignment_free(a);
}

/* A tier's fields win, the others are the assignment's; a profile changes what it names. */
TEST(profile_changes_what_it_names)
{
    struct assignment *a =
        loaded(HEAD "correctness: {random: 9, max: 99, stress_repeat: 7}\n"
                    "performance: {budget: 3s}\n" TIER "    sizes: [32]\n"
                    "profiles:\n"
                    "  - {name: nothing}\n"
                    "  - {name: few, budget: 100ms, precision: 0.5, max: 50, stress_time: 4ms}\n");
    take_profile(a, "nothing");
    assert_int_equal(a->correctness.random, 9);
    assert_int_equal(a->correctness.stress_time_ms, 20);
    assert_int_equal(a->performance.budget_ms, 3000);
    assert_int_equal(tier_size(a, &a->tiers[0], 0).dim[0], 32);
    take_profile(a, "few");
    assert_int_equal(a->correctness.random, 9);
    assert_int_equal(a->correctness.max_dim, 50);
    assert_int_equal(a->correctness.stress_repeat, 7);
    assert_int_equal(a->correctness.stress_time_ms, 4);
    assert_int_equal(a->performance.budget_ms, 100);
    assert_true(a->performance.precision == 0.5);
    assert_int_equal(tier_size_count(a, &a->tiers[0]), 1);
    assignment_free(a);
}

/* The profile replaces the sizes of sweeps, too, and the part is one of what it leaves. */
TEST(prepared_for_a_run)
{
    const struct subset only = {.size = {{64, 64, 64}}, .threads = 2};
    struct err e = ERR_INIT;
    struct assignment *a =
        loaded(HEAD TIER "sweeps: [{name: s, tier: naive, threads: [1, 2], sizes: [32]}]\n"
                         "profiles: [{name: p, sizes: [64]}]\n");
    assert_int_equal(assignment_prepare(a, true, "p", &only, &e), 0);
    assert_int_equal(a->tiers_count, 2);
    assert_true(a->tiers[0].idle && !a->tiers[1].idle);
    assert_int_equal(tier_size(a, &a->tiers[1], 0).dim[0], 64);
    assert_int_equal(tier_launch_count(&a->tiers[1]), 1);
    assignment_free(a);
}

/* A profile limits what can be scored only if it leaves out a size that the assignment measures. */
TEST(profile_limits)
{
    static const struct {
        const char *sizes, *tier;
        bool limits;
    } table[] = {
        {"[64]", "", true},
        {"[64, 32x48x64]", "", true},
        {"[128, 64]", "    sizes: [256]\n", true},
        {"[64, 128, 32x48x64]", "", false},
        {"[256, 32x48x64, 128x128x128, 64]", "", false},
        {"[64]", "    sizes: [64]\n", false},
        {NULL, "", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct assignment *a = loaded(HEAD "performance: {sizes: [64, 128, 32x48x64]}\n" TIER "%s"
                                           "profiles: [{name: p%s%s}]\n",
                                      table[i].tier, table[i].sizes ? ", sizes: " : "",
                                      table[i].sizes ? table[i].sizes : "");
        assert_false(a->performance.sizes_left_out);
        take_profile(a, "p");
        if (a->performance.sizes_left_out != table[i].limits)
            fail_msg("row %zu", i);
        assignment_free(a);
    }
}

/* The assignments that are handed out: sound, and worth 100 points without a GPU. */
TEST(the_course)
{
    struct assignment *a;
    struct err e = ERR_INIT;
    if (assignment_load("testcases/gemm-i32.yaml", &a, &e) != 0)
        fail_msg("%s", e.text);
    double points = 0;
    for (unsigned i = 0; i < a->tiers_count; i++) {
        const struct tier *t = &a->tiers[i];
        points += t->points.correct;
        for (unsigned k = 0; k < t->points.speed_count; k++)
            points += t->points.speed[k].points *
                      (t->points.speed[k].every_size ? tier_size_count(a, t) : 1);
    }
    assert_true(points == 100);
    assert_int_equal(a->correctness.random, 30);
    assert_true(fs_is_dir(a->reference));
    static const char *const tiers[] = {"naive", "locality", "simd",   "openmp",
                                        "mpi",   "cuda",     "openacc"};
    assert_int_equal(a->tiers_count, sizeof tiers / sizeof tiers[0]);
    for (unsigned i = 0; i < a->tiers_count; i++)
        assert_int_equal(assignment_tier(a, tiers[i]), i);
    assert_int_equal(assignment_tier(a, "ispc"), -1);
    take_profile(a, "quick");
    assignment_free(a);
}

/* What may be called, by the lists of the assignment and of the tier. */
TEST(calls)
{
    static const struct {
        const char *head, *tier, *function;
        bool allowed, forbidden;
    } table[] = {
        {"", "", "malloc", true, false},
        {"", "", "memcpy", true, false},
        {"", "", "memfd_create", false, false},
        {"", "", "sinf", true, false},
        {"", "", "clock_gettime", false, false},
        {"", "", "__sigsetjmp", true, false},
        {"", "", "munlockall", true, false},
        {"", "", "kill", false, false},
        {"", "", "setrlimit", false, false},
        {"", "", "MPI_Send", false, false},
        {"", "    kind: mpi\n    launcher: mpirun -n {ranks}\n", "MPI_Send", true, false},
        {"", "    kind: mpi\n    launcher: mpirun -n {ranks}\n", "OMPI_C_MPI_COMM_DUP_FN", true,
         false},
        {"", "    kind: mpi\n    launcher: mpirun -n {ranks}\n", "MPI_Comm_spawn", true, true},
        {"", "    kind: cuda\n", "cudaMemcpyAsync", true, false},
        {"", "    kind: cuda\n", "cublasSgemm_v2", false, true},
        {"", "    kind: openacc\n", "GOACC_parallel_keyed", true, false},
        {"", "", "cudaMalloc", false, false},
        {"allow: malloc\n", "", "malloc", true, false},
        {"allow: malloc\n", "", "free", false, false},
        {"allow: []\n", "", "malloc", false, false},
        {"allow: []\n", "", "__cxa_finalize", true, false},
        {"allow: [standard, 'numa_*']\n", "", "numa_alloc_onnode", true, false},
        {"allow: [standard, 'numa_*']\n", "", "free", true, false},
        {"allow: [standard, 'numa_*']\n", "    kind: mpi\n    launcher: mpirun -n {ranks}\n",
         "MPI_Send", true, false},
        {"allow: '*'\n", "", "kill", true, false},
        {"allow: '*'\n", "", "dlopen", true, true},
        {"allow: '*'\n", "    allow: standard\n", "kill", false, false},
        {"allow: '*'\n", "    forbid: kill\n", "kill", true, true},
        {"forbid: [standard, pow]\n", "", "pow", true, true},
        {"forbid: [standard, pow]\n", "", "execve", false, true},
        {"forbid: [standard, pow]\n", "    forbid: []\n", "pow", true, false},
        {"forbid: []\n", "", "dlopen", false, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct assignment *a = loaded(HEAD "%s" TIER "  - name: x\n    sources: [x.c]\n"
                                           "    compile: gcc -shared -o {out} {src}\n%s",
                                      table[i].head, table[i].tier);
        const struct calls *c = &a->tiers[1].calls;
        if (calls_allowed(c, table[i].function) != table[i].allowed ||
            calls_forbidden(c, table[i].function) != table[i].forbidden)
            fail_msg("%s%s: %s", table[i].head, table[i].tier, table[i].function);
        assignment_free(a);
    }
}

/* The tier's rule, else the file's, else that they are named; a sweep has its tier's. */
TEST(bandwidths)
{
    static const struct {
        const char *text;
        unsigned count;
        double first, second;
        double device;
    } table[] = {
        {"", 1, BANDWIDTH_MEASURED, 0, BANDWIDTH_MEASURED},
        {"roofline: {}\n", 1, BANDWIDTH_MEASURED, 0, BANDWIDTH_MEASURED},
        {"roofline: {bandwidth: 240}\n", 1, 240, 0, BANDWIDTH_MEASURED},
        {"roofline: {bandwidth: [measured, 25.5]}\n", 2, BANDWIDTH_MEASURED, 25.5,
         BANDWIDTH_MEASURED},
        {"roofline: {device_bandwidth: [3350]}\n", 1, BANDWIDTH_MEASURED, 0, 3350},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct assignment *a = loaded("%s%s%s", HEAD, TIER, table[i].text);
        assert_int_equal(a->bandwidth.count, table[i].count);
        assert_true(a->bandwidth.gbs[0] == table[i].first);
        assert_true(table[i].count == 1 || a->bandwidth.gbs[1] == table[i].second);
        assert_true(a->device_bandwidth.count == 1 &&
                    a->device_bandwidth.gbs[0] == table[i].device);
        assignment_free(a);
    }
}

TEST(pragmas)
{
    static const struct {
        const char *head, *tier;
        enum pragma_rule rule;
    } table[] = {
        {"", "", PRAGMAS_FLAG},
        {"", "    pragmas: allow\n", PRAGMAS_ALLOW},
        {"", "    pragmas: forbid\n", PRAGMAS_FORBID},
        {"pragmas: forbid\n", "", PRAGMAS_FORBID},
        {"pragmas: forbid\n", "    pragmas: flag\n", PRAGMAS_FLAG},
        {"pragmas: forbid\n", "    pragmas: allow\n", PRAGMAS_ALLOW},
        {"pragmas: allow\n", "", PRAGMAS_ALLOW},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct assignment *a = loaded(HEAD "%s" TIER "  - name: x\n    sources: [x.c]\n"
                                           "    compile: gcc -shared -o {out} {src}\n%s"
                                           "sweeps: [{name: s, tier: x, threads: [1, 2]}]\n",
                                      table[i].head, table[i].tier);
        assert_int_equal(a->tiers[1].pragmas, table[i].rule);
        assert_int_equal(a->sweeps[0].pragmas, table[i].rule);
        assignment_free(a);
    }
}

/* What several tiers have in common is written once. */
TEST(in_common)
{
    struct assignment *a =
        loaded(HEAD "directory: project2/src\nfixed: {K: 1}\n"
                    "flags: {O: '-O3 -mavx2', I: '-I{dir}/inc'}\n"
                    "performance: {sizes: [64, 32x16, 8x8x1]}\n"
                    "tiers:\n  - name: naive\n    sources: [cpu/naive.cpp, naive.c]\n"
                    "    with: ['cpu/*.c']\n    shapes: square\n    sizes: [9]\n"
                    "    compile: gcc {O} {I} -o {out} {src}\n"
                    "    compile_cxx: g++ {O} {O} -o {out} {src}\n"
                    "    points: {speed: [{size: 9, points: 1, curve: [[1, 1]]}]}\n"
                    "sweeps: [{name: s, tier: naive, threads: [1, 2]}]\n");
    const struct tier *t = &a->tiers[0];
    assert_string_equal(t->compile, "gcc -O3 -mavx2 -I{dir}/inc -o {out} {src}");
    assert_string_equal(t->compile_cxx, "g++ -O3 -mavx2 -O3 -mavx2 -o {out} {src}");
    static const char *const names[] = {"project2/src/cpu/naive.cpp", "project2/src/naive.c",
                                        "cpu/naive.cpp", "naive.c"};
    for (int k = 0; k < 2; k++, t = a->sweeps) {
        assert_int_equal(t->sources_count, 4);
        assert_int_equal(t->sources_handed_in, 2);
        for (unsigned i = 0; i < 4; i++)
            assert_string_equal(t->sources[i], names[i]);
        assert_true(tier_adds_source(t, "project2/src/cpu/x.c") && tier_adds_source(t, "cpu/x.c"));
        assert_false(tier_adds_source(t, "project1/src/cpu/x.c"));
    }
    static const int sizes[][3] = {{64, 64, 1}, {32, 16, 1}, {8, 8, 1}, {9, 9, 1}};
    for (unsigned i = 0; i < 4; i++) {
        const struct shape s = i < 3 ? a->performance.sizes[i] : tier_size(a, a->tiers, 0);
        assert_memory_equal(s.dim, sizes[i], sizeof sizes[i]);
    }
    assignment_free(a);
    a = loaded(HEAD "fixed: {K: 1}\n" TIER);
    assert_int_equal(tier_size(a, a->tiers, 0).dim[2], 1);
    assert_string_equal(a->directory, "");
    assignment_free(a);
}

TESTS(setup, teardown)
