#!/usr/bin/env bats
# Attacks on the clock (tests/redteam/clock) inside Slurm's jobs: those that work before GO, those that
# work after DONE, and those that slow the yardstick. No gain there either.

load ../helpers/cluster
load ../helpers/clock

setup_file() {
    [ "$(id -u)" = 0 ] || return 0 # setup skips
    cd "$BATS_FILE_TMPDIR" || exit 1
    cluster_start 1 --prefix cl || return 1
    make_clock_class ahead done_populate slow_yardstick
    clock_grade timeout 300 "$PARAGRADE" grade -q -a clock.yaml --slurm --run-id r subs
}

setup() {
    needs_cluster
    cd "$BATS_FILE_TMPDIR" || exit 1
}

@test "clock in jobs: work before GO, naive" { clock_attack ahead naive; }
@test "clock in jobs: work before GO, openmp" { clock_attack ahead openmp; }
@test "clock in jobs: work before GO, mpi" { clock_attack ahead mpi; }
@test "clock in jobs: work after DONE, naive" { clock_attack done_populate naive; }
@test "clock in jobs: work after DONE, openmp" { clock_attack done_populate openmp; }
@test "clock in jobs: work after DONE, mpi" { clock_attack done_populate mpi; }
@test "clock in jobs: a slowed yardstick, naive" { clock_attack slow_yardstick naive; }
@test "clock in jobs: a slowed yardstick, openmp" { clock_attack slow_yardstick openmp; }
@test "clock in jobs: a slowed yardstick, mpi" { clock_attack slow_yardstick mpi; }
