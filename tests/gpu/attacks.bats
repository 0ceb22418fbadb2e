#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# Attacks by programs for a GPU, graded by an ordinary user, with what a lenient assignment allows.
#
# The first line of an attack names the verdicts it may get. The second one, `says`, is an extended
# regular expression: what the attack itself finds out. Speeds are beside those of the honest program.

load ../helpers/common

ATTACKS=$REPO/tests/gpu/attacks

setup_file() {
    load ../helpers/common
    [ -e /dev/nvidiactl ] || return 0 # every test skips
    local dir=$BATS_FILE_TMPDIR k name as=()
    mkdir "$dir"/{home,grader}
    cp -r "$REPO/${PARAGRADE_BUILD:-build}"/{bin,libexec,include} "$dir/grader/"
    cp -r "$REPO/reference/gemm" "$dir/reference"
    mkdir -p "$dir/headers" "$dir/work"
    cp "$ATTACKS"/*.h "$REPO"/tests/gpu/kernels/kernel.h "$REPO"/tests/fixtures/emulated/hook.h "$dir/headers/"
    sed -i '1i #pragma once' "$dir/headers/kernel.h"
    copy_protocol "$dir/headers"
    for k in "$ATTACKS"/*.cu; do
        name=$(basename "$k" .cu)
        mkdir -p "$dir/work/subs/$name"
        cp "$k" "$dir/work/subs/$name/cuda.cu"
        cp "$dir"/headers/* "$dir/work/subs/$name/"
    done
    sed "s|REFERENCE|$dir/reference|; s|sizes: \[1024\]|sizes: [256, 1024]|; s|^tiers:|sanitized: off\nforbid: []\n&|" \
        "$REPO/tests/gpu/gpu.yaml" >"$dir/work/a.yaml"
    if [ "$(id -u)" = 0 ]; then
        chmod 711 "$BATS_RUN_TMPDIR" "$dir" && chown -R nobody "$dir/work" "$dir/home"
        as=(setpriv --reuid nobody --clear-groups)
    fi
    nvidia-smi -L >/dev/null # device files are made when root asks for the first time
    cd "$dir/work" || return 1
    "${as[@]}" env -i PATH="$PATH" HOME="$dir/home" TMPDIR=/tmp "$dir/grader/bin/paragrade" grade -q -a a.yaml \
        --run-id r -t naive -t cuda subs >../out.txt 2>../err.txt 3>&- || true
}

setup() {
    [ -e /dev/nvidiactl ] || skip "no GPU here"
    cd "$BATS_FILE_TMPDIR/work" || return 1
}

wanted() { sed -nE "s|^/\* $2: (.*) \*/\$|\1|p" "$ATTACKS/$1.cu"; } # NAME verdicts|says

verdict() { awk -F, -v name="$1" '$1 == name && $2 == "cuda" { print $3 }' reports/r/units.csv; }

@test "attacks on a GPU: each gets one of its verdicts" {
    local k name bad=0
    head ../err.txt
    for k in "$ATTACKS"/*.cu; do
        name=$(basename "$k" .cu)
        [[ " $(wanted "$name" verdicts) " == *" $(verdict "$name") "* ]] || {
            bad=1
            grep "^$name,cuda" reports/r/units.csv || echo "$name: no verdict"
        }
    done
    [ "$bad" = 0 ]
}

@test "attacks on a GPU: what they find out" {
    local k name bad=0 found
    for k in "$ATTACKS"/*.cu; do
        name=$(basename "$k" .cu)
        [ -n "$(wanted "$name" says)" ] || continue
        found=$(grep -ohE 'EFFECT: [^"\\]*' "reports/r/units/$name.cuda/result.json" || true)
        grep -qE "$(wanted "$name" says)" <<<"$found" || {
            bad=1
            echo "$name: $found"
        }
    done
    [ "$bad" = 0 ]
}

@test "attacks on a GPU: who slows the yardstick gains nothing" {
    run -0 awk -F, '{ sub(/\r$/, "") }
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["tier"] == "cuda" { s[$1, $at["size"]] = $at["speedup"]; sizes[$at["size"]] }
        END { for (k in sizes) printf "%s: %.2f %.2f\n", k, s["hog_halted", k] / s["honest", k], s["keeps_cache", k] / s["honest", k] }' \
        reports/r/speedup.csv
    assert_equal "${#lines[@]}" 2
    [ "$(awk '$2 > 1.1 || $3 > 1.1' <<<"$output")" = '' ] || fail "$output"
}

@test "attacks on a GPU: nothing is left behind" {
    run pgrep -f "$BATS_FILE_TMPDIR"
    assert_failure
}
