#!/usr/bin/env bats
# shellcheck disable=SC2154
# Attacks on an exercise whose kernel is in a file, with operands on all ranks: on the process that
# gives the right answers, on its files, on outputs that threads and ranks share, and on the
# connections of ranks. The form is that of redteam.bats.

load ../helpers/common

ATTACKS=$BATS_TEST_DIRNAME/exercises

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    local file name tier
    cp -r "$REPO"/tests/fixtures/spread/* .
    cat >paths.h <<PATHS
#define RUN "$PWD/reports/r"
#define TRUSTED "$PWD/kernel/mix.c"
PATHS
    for file in "$ATTACKS"/*.c; do
        name=$(basename "${file%.c}")
        tier=$(sed -nE '1s|^/\* expect: ([a-z]+) .*|\1|p' "$file")
        mkdir -p "subs/$name"
        cp "$file" "subs/$name/$tier.c"
        cp "$ATTACKS"/mix_attack.h "$ATTACKS"/../attack.h paths.h "subs/$name/"
        echo '#include "mix.h"' >"subs/$name/gemm.h"
        for tier in naive mpi; do cp "reference/$tier.c" "subs/$name/reference_$tier.h"; done
        copy_protocol "subs/$name"
    done
    cp reference/naive.c reference/openmp.c
    # more ranks and threads than this machine may have cores: then nothing is timed
    sed -e 's/-std=c11 -O1 -fPIC/-std=gnu11 -O1 -fopenmp -fPIC/; s/case: 20s/case: 2s/; s/processes: 64/processes: 200/' \
        -e 's/stress_threads: \[3\], stress_repeat: 1/stress_time: 1ms, smallest_time: 50ms/; s/sizes: \[400x7\]/sizes: [9x2]/' \
        -e 's|^limits:|allow: "*"\nforbid: []\nsubmit: {retries: 0}\n&|' assignment.yaml >a.yaml
    cat >>a.yaml <<'YAML'
  - name: openmp
    sources: [openmp.c]
    compile: gcc -std=gnu11 -O1 -fopenmp -fPIC -shared -I{abi} -o {out} {src}
    threads: [3]
    points: {correct: 1}
YAML
    "$PARAGRADE" grade -q -j 2 -a a.yaml --run-id r subs >out 2>err 3>&- || true
    verdicts reports/r >verdicts.txt || cat out err
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

# A line for each attack that got none of its verdicts, or says that it achieved something.
complaints() {
    local file first unit got
    for file in "$ATTACKS"/*.c; do
        read -r first <"$file"
        [[ $first =~ ^/\*\ expect:\ ([a-z]+)\ ([a-z|-]+)\ \*/ ]] || echo "$file: no expectation"
        unit=$(basename "${file%.c}")
        got=$(sed -n "s/^$unit ${BASH_REMATCH[1]} //p" verdicts.txt)
        [[ "|${BASH_REMATCH[2]}|skipped|" = *"|$got|"* ]] ||
            echo "$unit is '$got': $(grep "^$unit,${BASH_REMATCH[1]}," reports/r/units.csv)"
        grep -o 'HOLE: [^\\]*' "reports/r/units/$unit.${BASH_REMATCH[1]}/result.json" | sort -u
    done
    return 0
}

@test "redteam exercises: every attack gets its verdict, and achieves nothing" {
    run complaints
    assert_output ''
}

@test "redteam exercises: the reference passes, and no failure is called the grader's" {
    run grep -c '^reference .* pass$' verdicts.txt
    assert_output 3
    run grep infra-error verdicts.txt
    assert_output ''
}
