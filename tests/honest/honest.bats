#!/usr/bin/env bats
# shellcheck disable=SC2154
# Honest programs that are unusual: whoever computes the product, however it is done, passes, and
# gets no remark. All of them are graded in one run, as a class is, with the fences and flags of the shipped assignment.
#
# A program is one file in programs/: /* tier: TIER */, then what is unusual about it. Those for GPUs
# are in ../gpu/honest.

load ../helpers/common

PROGRAMS=$BATS_TEST_DIRNAME/programs

# The tier that its first line names.
tier_of() { # FILE
    sed -nE '1s|^/\* tier: ([a-z]+) \*/$|\1|p' "$1"
}

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    local f name tier
    mkdir subs
    for f in "$PROGRAMS"/*; do
        name=$(basename "${f%.*}")
        tier=$(tier_of "$f")
        mkdir "subs/$name"
        cp "$f" "subs/$name/$tier.${f##*.}"
        cp "$BATS_TEST_DIRNAME/honest.h" "subs/$name/"
    done
    sed "s|@REFERENCE@|$REPO/reference/gemm|" "$BATS_TEST_DIRNAME/honest.yaml" >honest.yaml
    timeout 900 "$PARAGRADE" grade -q -j 2 -a honest.yaml --run-id r subs \
        >out.txt 2>err.txt 3>&- || true
    [ -s reports/r/units.csv ] || {
        cat out.txt err.txt >&2
        return 1
    }
    verdicts reports/r >verdicts.txt
    jq -r 'select(.remarks != "") | .unit + ": " + .remarks' reports/r/units/*/result.json >remarks.txt
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

# What is wrong: a line for each program.
complaints() {
    local f name tier got
    for f in "$PROGRAMS"/*; do
        name=$(basename "${f%.*}")
        tier=$(tier_of "$f")
        got=$(sed -n "s/^$name $tier //p" verdicts.txt)
        case $got in
        pass) grep "^$name\.$tier: " remarks.txt ;;
        skipped) echo "# $name: no MPI here" >&3 ;;
        *) echo "$f: $(grep "^$name,$tier," reports/r/units.csv || echo 'it has no verdict')" ;;
        esac
    done
    return 0
}

@test "honest: every program passes, and gets no remark" {
    run complaints
    assert_output ''
}
