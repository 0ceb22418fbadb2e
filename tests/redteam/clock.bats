#!/usr/bin/env bats
# Submissions that attack the clock: they work while it stands still, or slow what they are compared
# with. All are graded in one run; helpers/clock.bash says how, and what must come of it.

load ../helpers/common
load ../helpers/clock

setup_file() {
    load ../helpers/common
    load ../helpers/clock
    cd "$BATS_FILE_TMPDIR" || exit 1
    local attacks=("$ATTACKS"/*.c)
    attacks=("${attacks[@]##*/}")
    make_clock_class "${attacks[@]%.c}"
    clock_grade timeout 300 "$PARAGRADE" grade -q -a clock.yaml --jobs 1 --run-id r subs
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

@test "clock: ahead, naive" { clock_attack ahead naive; }
@test "clock: ahead, openmp" { clock_attack ahead openmp; }
@test "clock: ahead, mpi" { clock_attack ahead mpi; }
@test "clock: batch, team" { clock_attack batch team; }
@test "clock: bind_others, openmp" { clock_attack bind_others openmp; }
@test "clock: bind_others, mpi" { clock_attack bind_others mpi; }
@test "clock: done_before_go, naive" { clock_attack done_before_go naive; }
@test "clock: done_crowd, naive" { clock_attack done_crowd naive; }
@test "clock: done_plain, naive" { clock_attack done_plain naive; }
@test "clock: done_plain, mpi" { clock_attack done_plain mpi; }
@test "clock: done_populate, naive" { clock_attack done_populate naive; }
@test "clock: done_populate, openmp" { clock_attack done_populate openmp; }
@test "clock: done_populate, mpi" { clock_attack done_populate mpi; }
@test "clock: done_read, naive" { clock_attack done_read naive; }
@test "clock: done_vfork, naive" { clock_attack done_vfork naive; }
@test "clock: done_vfork, openmp" { clock_attack done_vfork openmp; }
@test "clock: done_vfork, mpi" { clock_attack done_vfork mpi; }
@test "clock: first_call, short" { clock_attack first_call short; }
@test "clock: foresee, naive" { clock_attack foresee naive; }
@test "clock: hides_slow, naive" { clock_attack hides_slow naive; }
@test "clock: hides_slow, openmp" { clock_attack hides_slow openmp; }
@test "clock: lucky_run, naive" { clock_attack lucky_run naive; }
@test "clock: lucky_start, naive" { clock_attack lucky_start naive; }
@test "clock: slow_yardstick, naive" { clock_attack slow_yardstick naive; }
@test "clock: slow_yardstick, openmp" { clock_attack slow_yardstick openmp; }
@test "clock: slow_yardstick, mpi" { clock_attack slow_yardstick mpi; }
@test "clock: two_of_three, naive" { clock_attack two_of_three naive; }

# Whichever runs count: one in three is three times as fast.
@test "clock: slow runs are not left out because threads of the unit waited for each other" {
    local tier got honest
    for tier in naive openmp; do
        [ "$tier" = naive ] || [ "$(nproc)" -gt 1 ] || continue
        got=$(speedup_of hides_slow $tier) honest=$(speedup_of hides_slow.honest $tier)
        echo "$tier: $got, honest $honest"
        awk -v a="$got" -v h="$honest" 'BEGIN { exit !(h > 0 && a <= 1.6 * h) }'
    done
}

# It could, while inputs came from a hash of a counter. Then it made what it did not move.
@test "clock: nobody finds out from a few thousand elements how inputs are made" {
    grep -q "does not know the generator" reports/r/units/foresee.naive/result.json
}

@test "clock: every attack has its tests" {
    local f tier
    for f in "$ATTACKS"/*.c; do
        f=$(basename "$f" .c)
        for tier in $(tiers_of "$f"); do
            grep -q "^@test \"clock: $f, $tier\" { clock_attack $f $tier; }" "$BATS_TEST_FILENAME" ||
                fail "no test for $f, $tier"
        done
    done
}
