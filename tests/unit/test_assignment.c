/* Bad assignment files: each must be refused with file, line and field. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "model/assignment.h"

#include "load_assignment.h"

TEST_FILE("a.yaml")

#define A5 "aaaaa"
#define A65 A5 A5 A5 A5 A5 A5 A5 A5 A5 A5 A5 A5 A5

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
        {HEAD "tiers: &t [*t]\n", "field 'tiers[0]': expected a mapping"},
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
        {"name: a\nkernel: gemm\ntype: i32\nreference: r\nbaseline: slow\nyardstick: naive\n" TIER,
         ":5: field 'baseline': there is no tier named 'slow'; there are: naive"},
        {"name: a\nkernel: gemm\ntype: i32\nreference: r\nbaseline: naive\nyardstick: gpu\n" TIER
         "  - {name: gpu, kind: cuda, sources: [x.cu], compile: 'nvcc -o {out} {src}'}\n",
         ":6: field 'yardstick': 'gpu' is not a tier of kind cpu"},
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
        {HEAD "slurm: {extra: --part=x}\n" TIER, "there is a field for this: partition"},
        {HEAD "slurm: {extra: --arr=0-9}\n" TIER, "set by Paragrade itself"},
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
        {"name: a\nkernel: spam\n",
         "field 'kernel': 'spam' is not one of: gemm, spmm_csr, spmm_ell, or a file of your own: "
         "kernel/spam.yaml"},
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

/* Values by alias: as good as written out. */
TEST(aliases)
{
    struct assignment *a =
        loaded(HEAD "tiers:\n"
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

TESTS(setup, teardown)
