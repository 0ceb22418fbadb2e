# prepared_class.bash - a graded class without any measuring: the plan is made by a fake proctor, then
# results with made-up times and messages take the place of its own. After common.bash.
# shellcheck shell=bash disable=SC2154

# A case of a result: CASE THREADS VERDICT SECONDS RELATIVE MESSAGE. SECONDS "null": not timed. RELATIVE:
# speed relative to the yardstick. Both are confirmed.
prepared_case() {
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$@"
}

# The result of a unit from cases on stdin. Other texts come from the environment: MESSAGE, LOG, OUTPUT.
prepared_result() { # RUN UNIT VERDICT
    jq -nR --arg unit "$2" --arg verdict "$3" --arg message "${MESSAGE-}" --arg log "${LOG-}" \
        --arg output "${OUTPUT-}" '
        def samples($unit; $speed): if $unit == null then [] else [range(4) | {start: ., reps: 1,
            alone: ($unit * $speed), other: 0, yardstick: ($unit * $speed), unit: ($unit * [1, 1, 1.02, 2][.]),
            cores: null, busiest: null, end_to_end: 0, device: 0}] end;
        [inputs | split("\t") | {case: (.[0] | tonumber), point: 0,
            launch: ({"1": 0, "2": 1, "4": 2, "8": 3}[.[1]]), ranks: 1, threads: (.[1] | tonumber),
            verdict: .[2], runs: 2, failed_runs: (if .[2] == "pass" then 0 else 2 end), cause: "",
            oversubscribed: false, message: .[5], mismatch: null, error_max: null, error_rms: null,
            samples: samples(.[3] | fromjson; .[4] | fromjson), by_rank: [], counters: null}] as $cases |
        {unit: $unit, verdict: $verdict, message: $message, build_command: "cc", build_log: $log,
         output: $output, output_case: (if $output == "" then -1 else 0 end), host: "n1",
         yardstick: "simd", device: "", job: "local", started: "2026-01-01T00:00:00Z",
         source_hash: "", library_hash: "", remarks: "", sanitized: "", smallest: null, compiler: "cc", evidence: "", attested: null, build_seconds: 0.1,
         total_seconds: 1, kernel_seconds: 1, yardstick_seconds: 1, grader_cpu: 0, peak_memory: 1e6,
         cores: 8, profile: null, protections: null, cases: $cases}' >"$1/units/$2/result.json"
}

# A unit that passed: at size 512 it is SPEED times as fast as the yardstick with one thread.
# EFFICIENCY: of each doubling of threads.
prepared_pass() { # RUN UNIT SPEED [THREADS EFFICIENCY]
    local threads speed=$3 case
    for threads in ${4-1}; do
        for case in 0 1; do prepared_case "$case" "$threads" pass null null ''; done
        prepared_case 2 "$threads" pass "$(calc "0.0005 / $speed")" "$speed" ''
        prepared_case 3 "$threads" pass "$(calc "0.004 / $speed")" "$speed" ''
        speed=$(calc "$speed * 2 * ${5-1}")
    done | prepared_result "$1" "$2" pass
}

calc() { awk "BEGIN { printf \"%.9g\", $1 }"; }

prepared_node() { # RUN
    mkdir -p "$1/nodes"
    # The baseline, in seconds, beside the yardstick.
    jq 'def samples($yardstick; $unit): [range(4) | {start: ., reps: 1, alone: $yardstick, other: 0,
            yardstick: $yardstick, unit: $unit, cores: 1, busiest: 1, end_to_end: 0, device: 0}];
        .calibrations = [{shape: [256, 256, 256], known: null, samples: samples(0.0005; 0.02)},
            {shape: [512, 512, 512], known: null, samples: samples(0.004; 0.2)}]' \
        >"$1/nodes/n1.simd.json" <<'JSON'
{"host": "n1", "yardstick": "simd", "model": "AMD EPYC", "device": false,
 "started": "2026-01-01T00:00:00Z", "kernel": "", "microcode": "", "driver": "", "cores": 8, "cores_total": 8, "l2": 524288,
 "l3": 33554432, "peak_gops": 80.0, "tiles": false, "bandwidth_gbs": 15.0, "overhead_us": 20.0,
 "ceilings": [
  {"workers": 1, "gops": 80.0, "type_gops": {"i32": 80.0, "f32": 100.0, "f64": 50.0},
   "tensor_gops": null, "gbs": 15.0, "triad_gbs": 20.0},
  {"workers": 8, "gops": 600.0, "type_gops": {"i32": 600.0, "f32": 760.0, "f64": 380.0},
   "tensor_gops": null, "gbs": 40.0, "triad_gbs": 50.0}]}
JSON
}

# Give a unit what a GPU's profiler would say. The kernel's name is a student's: hostile, and long.
prepared_profile() { # RUN UNIT KERNEL
    local file=$1/units/$2/result.json
    jq --arg kernel "$3" '
        {median: null, min: null, max: null, stddev: null, registers: 0,
         shared_bytes: 0, block_threads: 0, grid_blocks: 0, occupancy: 0} as $none |
        .profile = {shape: [512, 512, 512], rows: ([
            {activity: "api", name: "cudaMalloc", calls: 3, seconds: 0.006},
            {activity: "api", name: "cudaLaunchKernel", calls: 2, seconds: 0.002},
            {activity: "kernel", name: $kernel, calls: 2, seconds: 0.003, registers: 40,
             shared_bytes: 4096, block_threads: 256, grid_blocks: 1024, occupancy: 0.5},
            {activity: "copy", name: "copy host to device", calls: 2, seconds: 0.001}] |
            map($none + .))}' "$file" >profiled.json
    mv profiled.json "$file"
}

# The names of the class; the second and the third one are hostile.
PREPARED_NAMES=(anna '<script>alert(1)</script>' "b\"' onload='x&amp;" carlos diana emil fatima
    goran hana ivan judith kofi)

# reports/r: so many submissions. Leaves the caller's directory as it is, but for its files.
prepared_class() { # COUNT
    local i name t unit run=reports/r
    export PARAGRADE_PROCTOR=$REPO/tests/fixtures/fake-proctor FAKE_SLEEP=0
    for name in ref "${PREPARED_NAMES[@]:0:$1}"; do
        [ "$name" = ref ] || name=subs/x-${name//\//|}
        mkdir -p "$name"
        for t in naive simd openmp; do echo 'int x;' >"$name/$t.c"; done
    done
    cat >a.yaml <<'YAML'
name: demo
title: Product of <matrices>
kernel: gemm
type: i32
reference: ref
baseline: naive
yardstick: simd
sanitized: off
correctness: {random: 2, edges: false, stress_threads: []}
performance: {sizes: [256, 512]}
versus: [[simd, naive], [openmp, "reference:simd"]]
tiers:
  - {name: naive, title: Naive, sources: [naive.c], compile: "gcc -o {out} {src}", points: {correct: 10}}
  - name: simd
    title: SIMD
    sources: [simd.c]
    compile: "gcc -o {out} {src}"
    points: {correct: 10, speed: [{size: 512, points: 10, curve: [[0, 0], [50, 1]]}]}
  - {name: openmp, title: OpenMP, sources: [openmp.c], compile: "gcc -o {out} {src}",
     threads: [1, 2, 4, 8], points: {correct: 10}}
YAML
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >out.txt 2>&1
    prepared_node "$run"
    prepared_pass $run reference.naive 0.02
    prepared_pass $run reference.simd 1
    prepared_pass $run reference.openmp 1 '1 2 4 8' 0.97
    i=0
    for unit in "$run"/units/x-*.naive; do
        name=${unit##*/}
        name=${name%.naive}
        i=$((i + 1))
        if [ $i -gt 12 ]; then # as the first twelve
            for t in naive simd openmp; do
                sed "s|x-${PREPARED_NAMES[0]}\.|$name.|" "$run/units/x-${PREPARED_NAMES[0]}.$t/result.json" \
                    >"$run/units/$name.$t/result.json"
            done
            continue
        fi
        prepared_pass $run "$name.naive" "$(calc "0.02 - 0.0007 * $i")"
        prepared_pass $run "$name.simd" "$(calc "0.91 - 0.0713 * $i")"
        prepared_pass $run "$name.openmp" "$(calc "0.8 - 0.0517 * $i")" '1 2 4 8' "$(calc "0.96 - 0.01 * $i")"
    done
}
