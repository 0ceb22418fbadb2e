#!/usr/bin/env bats
# The kinds of launch are one table, model/launch.def. Other code asks the table for a trait and does
# not name a kind, so that a new kind is a line there, a driver, a build rule and a page.

load ../helpers/common

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || exit 1
}

identifiers() { sed -nE 's/^LAUNCH_KIND\(([A-Z0-9_]+),.*/\1/p' grader/model/launch.def; }
names() { sed -nE 's/.*\.name = "([a-z0-9_]+)".*/\1/p' grader/model/launch.def; }

# Files that may name a kind, each with its reason.
reason() { # FILE
    case $1 in
    grader/build/trusted.c) echo "builds trusted sources for the host, whatever the kind of the tier" ;;
    grader/proctor/node_answers.c) echo "asks for the build of trusted sources on the host" ;;
    grader/measure/exercise.c) echo "builds trusted sources for the host, whatever the kind of the tier" ;;
    grader/measure/harness.c) echo "runs trusted sources on the host, whatever the kind of the tier" ;;
    grader/cmd/machine_check.c) echo "tries MPI and CUDA themselves, and says whose tier will be skipped" ;;
    grader/cmd/kernel_assignment.c) echo "writes tiers of every kind for a kernel that has no assignment" ;;
    grader/supervise/device_errors.c) echo "knows the errors of CUDA by name, and the verdict that each means" ;;
    grader/kernel/prototype.c) echo "refuses names that the headers of MPI and CUDA have" ;;
    grader/base/inherited_limits.c) echo "names a limit of the system, which has the name of a kind" ;;
    bench/gemm_i32.c) echo "compares two given drivers, and is no part of the grader" ;;
    esac
}

# Print the files of a tree that name a kind in code: its identifier; or in a string, where that is
# its name, a message about it ("the mpi tier", "driver-mpi"), or an error of it ("cudaError...").
naming() { # TREE...
    local ids words pattern
    ids=$(identifiers | paste -sd '|')
    words=$(names | paste -sd '|')
    pattern="\\bLAUNCH_($ids)\\b|\"($words)(\"|[A-Z])|\"([^\"]*[ /])?(kind |the |driver-)($words)\\b"
    grep -rHE "$pattern" "$@" --include='*.c' --include='*.h' --include='*.def' |
        sed -E 's|/\*.*||; /^[^:]*:[ ]*\*/d' | grep -E "^[^:]*:.*($pattern)" | cut -d: -f1 | sort -u |
        grep -vE '(^|/)(driver/[^/]*|model/launch\.def|model/launch_kind\.[ch])$'
}

@test "the table has every kind that has a driver, and the drivers have their rules" {
    [ "$(names | sort)" = "$(cd grader/driver && printf '%s\n' launch_*.c | sed -E 's/launch_(.*)\.c/\1/' | sort)" ]
    local name
    for name in $(names); do
        grep -q "^\$(LIBEXEC)/driver-$name:" Makefile || { echo "no rule for driver-$name"; false; }
    done
}

@test "no other code names a kind without a reason" {
    local file
    while IFS= read -r file; do
        [ -n "$(reason "$file")" ] || { echo "$file names a kind of launch: ask model/launch_kind.h for a trait"; false; }
    done < <(naming grader bench)
}

@test "every reason is still needed" {
    local file
    while IFS= read -r file; do
        naming grader bench | grep -qx "$file" || { echo "$file names no kind: remove its reason"; false; }
    done < <(sed -nE 's/^    ((grader|bench)[^)]*)\) echo.*/\1/p' "$BATS_TEST_FILENAME")
}

@test "the check finds what it looks for" {
    local tree=$BATS_TEST_TMPDIR/grader
    cp -r grader "$tree"
    # shellcheck disable=SC2028
    echo 'static bool f(enum launch_kind k) { return k == LAUNCH_MPI; }' >>"$tree/report/score.c"
    echo 'static bool g(const char *s) { return strcmp(s, "openacc") == 0; }' >>"$tree/slurm/watch.c"
    run naming "$tree"
    [[ $output == *report/score.c* ]]
    [[ $output == *slurm/watch.c* ]]
}

@test "every kind can be exported: there is a launch file for it" {
    local name
    for name in $(names); do
        [ -f "testcases/replay/launch_$name.c" ] || { echo "no launch_$name.c"; false; }
    done
}
