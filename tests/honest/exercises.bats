#!/usr/bin/env bats
# shellcheck disable=SC2154
# Honest programs that are unusual, for kernels in files: answers that a check judges, and operands
# that ranks have in blocks. None may fail, be flagged or get a remark.
#
# A program is one file in exercises/EXERCISE; the first word in it is its tier.

load ../helpers/common

# Directories of submissions.
hand_in() { # EXERCISE
    local f dir tier
    for f in "$BATS_TEST_DIRNAME/exercises/$1"/*.{c,cpp,f90}; do
        [ -e "$f" ] || continue
        dir=$1/$(basename "${f%.*}")
        tier=$(sed -nE '1s|^(/\*\|//\|!) ([a-z]+):.*|\2|p' "$f")
        [ -n "$tier" ] || fail "$f: its first line names no tier"
        mkdir -p "$dir"
        cp "$f" "$dir/$tier.${f##*.}"
        cp "$BATS_TEST_DIRNAME/exercises/$1"/*.h "$dir/"
    done
}

# Each of them passes, as far as there is what its tier requires.
all_honest() { # EXERCISE ASSIGNMENT
    local count
    hand_in "$1"
    run timeout 300 "$PARAGRADE" grade -q -j 2 -a "$2" --run-id r "$1"
    [ -s reports/r/units.csv ] || fail "$output"
    count=$(find "$1" -mindepth 1 -type d | wc -l)
    assert_equal "$(verdicts reports/r | grep -v '^reference ' | grep -cE ' (pass|skipped)$')" "$count"
    run jq -r 'select(.remarks != "" or .evidence != "") | .unit + ": " + .remarks + .evidence' \
        reports/r/units/*/result.json
    assert_output ''
}

setup() { cd "$BATS_TEST_TMPDIR" || return 1; }

@test "honest exercises: trees of a breadth-first search, from many ways to find them" {
    cp -r "$REPO"/testcases/bfs/{kernel,reference} .
    cp "$BATS_TEST_DIRNAME/exercises/bfs/fortran.f90" reference/
    cat >a.yaml <<'YAML'
name: bfs
kernel: kernel/bfs.yaml
seed: 3
sanitized: off
reference: reference
baseline: naive
yardstick: naive
correctness: {random: 3, max: 300, edges: no, stress_threads: [3], stress_repeat: 1}
performance: {sizes: [1000x3000], budget: 10ms, precision: 0.3, min_sample: 1ms, quiet_node: false}
limits: {build: 60s, case: 10s, unit: 120s, memory: 1G, failures: 1}
tiers:
  - name: naive
    sources: [naive.c]
    compile: gcc -std=c11 -O2 -fPIC -shared -I{abi} -o {out} {src}
    points: {correct: 1}
  - name: openmp
    sources: [openmp.c, openmp.cpp]
    compile: gcc -std=c11 -O2 -fopenmp -foffload=disable -fPIC -shared -I{abi} -o {out} {src}
    compile_cxx: g++ -std=c++17 -O2 -fopenmp -foffload=disable -fPIC -shared -I{abi} -o {out} {src}
    threads: [2]
    points: {correct: 1}
  - name: fortran
    sources: [fortran.f90]
    compile: gfortran -O2 -fPIC -shared -o {out} {src}
    allow: [standard, "_gfortran_*"]
    requires:
      - {command: gfortran, hint: install gfortran}
    points: {correct: 1}
YAML
    all_honest bfs a.yaml
}

@test "honest exercises: blocks of rows, and all that ranks do with them" {
    cp -r "$REPO"/tests/fixtures/spread/* .
    sed -i 's/-O1 -fPIC -shared -DPARAGRADE_MPI/-O1 -fopenmp -fPIC -shared -DPARAGRADE_MPI/
        s/random: 3/random: 2/; s/min_sample: 1ms}/min_sample: 1ms, quiet_node: false}/' assignment.yaml
    sed -i 's/edges: \[0x2, /edges: [/' kernel/mix.yaml # these programs know no empty problem
    all_honest mix assignment.yaml
}
