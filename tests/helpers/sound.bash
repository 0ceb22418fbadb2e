# sound.bash - the one thing that must hold after every fault, however rough: `load ../helpers/sound`.
#
#   sound RUN [VERDICTS]
#
#   1. every planned unit has exactly one verdict, and the tables have one row for it;
#   2. the verdicts are those of an undisturbed run (the file VERDICTS, lines "submission tier
#      verdict"; without it those of helpers/class.bash): no submission fails because of infrastructure;
#   3. nothing is counted twice: no unit, student, sample or result twice in a table;
#   4. `paragrade verify` agrees;
#   5. nothing is left: no lock, no temporary file, no scratch directory, no process, no job;
#   6. the run directory holds nothing that grader/rundir/parts.def does not list.
#
# Faults that come at random moments come by a schedule that SEED repeats: `schedule`, `moment`.
# shellcheck shell=bash disable=SC2154

# shellcheck source=tests/helpers/parts.bash
source "${BASH_SOURCE[0]%/*}/parts.bash"

# Scratch directories of this test alone: what is left of them can be told from other tests'.
own_scratch() {
    mkdir -p "$BATS_TEST_TMPDIR/tmp"
    export TMPDIR=$BATS_TEST_TMPDIR/tmp
    _shared_before=$(echo /dev/shm/paragrade-*)
}

# Those of helpers/class.bash; its submission without simd.c is missing there.
class_verdicts() {
    { expected_verdicts | sed 's/\./ /' && echo 'wrong simd missing'; } | sort
}

_every_unit_once() { # RUN
    local id count=0
    diff <(jq -r '.units[].id' "$1/plan.json" | sort) \
        <(tail -n +2 "$1/units.csv" | tr -d '\r' | awk -F, '{ print $1 "." $2 }' | sort) ||
        fail "$1: units.csv does not have each planned unit once"
    while IFS= read -r id; do
        [ -f "$1/units/$id/result.json" ] || fail "$1: $id has no result"
        count=$((count + 1))
    done < <(jq -r '.units[] | select(.verdict == null) | .id' "$1/plan.json")
    assert_equal "$(find "$1/units" -name result.json | wc -l)" "$count"
    assert_equal "$(cat "$1"/units/*/result.json | jq -r .unit | sort -u | wc -l)" "$count"
}

_nothing_twice() { # RUN
    local table twice
    for table in units cases samples grades; do
        [ -e "$1/$table.csv" ] || continue # it has no rows
        twice=$(tail -n +2 "$1/$table.csv" | sort | uniq -d)
        [ -z "$twice" ] || fail "$1/$table.csv counts twice: $twice"
    done
    twice=$(tail -n +2 "$1/grades.csv" | cut -d, -f1 | sort | uniq -d)
    [ -z "$twice" ] || fail "$1/grades.csv has somebody twice: $twice"
}

# Processes that have to do with the run: by their command line or where they are. Dead ones that
# nobody has reaped are nobody's.
_strays() { # RUN
    local p run
    run=$(realpath "$1")
    {
        grep -lsaF -- "$run" /proc/[0-9]*/cmdline
        [ -z "${TMPDIR:-}" ] || find /proc -maxdepth 2 -name cwd -lname "$TMPDIR/paragrade-*" 2>/dev/null
    } | while IFS=/ read -r _ _ p _; do
        [[ $p != "$$" && $p != "$BASHPID" ]] || continue
        grep -qs 'State:.*[ZX]' "/proc/$p/status" && continue
        # grep, above, has found itself.
        [ -e "/proc/$p" ] && echo "$p $(tr '\0' ' ' 2>/dev/null <"/proc/$p/cmdline")"
    done
}

_litter() { # RUN
    find "$1" -name '.tmp-*' -o -name '*.clock-*' -o -name '*.stale-*' -o -name lock
    [ -n "${_shared_before:-}" ] || return 0
    # In shared memory there may be those of other tests, at work: their locks are held.
    local d
    for d in "$TMPDIR"/paragrade-* /dev/shm/paragrade-*; do
        [[ -e $d/.paragrade-scratch && " $_shared_before " != *" $d "* ]] || continue
        flock -n "$d/.paragrade-scratch" echo "$d" 2>/dev/null || true
    done
}

_jobs_left() { # RUN
    [ -n "${SLURM_CONF:-}" ] || return 0
    squeue --noheader --format='%i %j %T' | grep -F " pg-$(basename "$1")-" || true
}

_gone() { [ -z "$("$@")" ]; }

_soon_gone() { # WHAT COMMAND...: what ends by itself has a few seconds to do so
    local what=$1 end=$((SECONDS + 15))
    shift
    until _gone "$@"; do
        [ "$SECONDS" -lt "$end" ] || fail "$what: $("$@")"
        sleep 0.1
    done
}

sound() {
    local run=$1 wanted=${2:-}
    if [ -n "$wanted" ]; then
        diff "$wanted" <(verdicts "$run") || fail "$run: not the verdicts of an undisturbed run"
    else
        diff <(class_verdicts) <(verdicts "$run") ||
            fail "$run: not the verdicts of an undisturbed run"
    fi
    _every_unit_once "$run"
    _nothing_twice "$run"
    # The report job may have begun just before the front end ended, and lock the run a little later.
    _soon_gone "$run: jobs left" _jobs_left "$run"
    _soon_gone "$run: processes left" _strays "$run"
    _soon_gone "$run: somebody works on it" find "$run" -maxdepth 1 -name lock
    "$PARAGRADE" verify "$run" >/dev/null || fail "$run: is not verified"
    _soon_gone "$run: files left" _litter "$run"
    _soon_gone "$run: not in parts.def" unlisted_files "$run"
}

# --- random moments that can be repeated -------------------------------------------------------

# schedule NAME: start the sequence of a test. SEED=... in the environment repeats one; it is printed
# with a test that fails.
schedule() {
    SEED=${SEED:-$((($(date +%s%N) / 1000) % 1000000))}
    echo "to repeat this: SEED=$SEED"
    RANDOM=$(((SEED + $(cksum <<<"$1" | cut -d' ' -f1)) % 32768))
}

# moment LOW HIGH: milliseconds into MOMENT, as seconds.
moment() {
    local ms=$(($1 + RANDOM % ($2 - $1 + 1)))
    printf -v MOMENT '%d.%03d' $((ms / 1000)) $((ms % 1000))
    echo "at $MOMENT"
}

# pick WORD...: one of them, into PICKED.
pick() {
    local i=$((RANDOM % $# + 1))
    PICKED=${!i}
    echo "picked $PICKED"
}
