#!/usr/bin/env bats
# shellcheck disable=SC2154
# paragrade prune: which runs go, and which never do.

setup_file() {
    load ../helpers/common
    load ../helpers/class
    BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR make_class
    cd "$BATS_FILE_TMPDIR" || exit 1
    "$PARAGRADE" grade -q -j 8 -a a.yaml --run-id r subs >/dev/null
}

setup() {
    load ../helpers/common
    cd "$BATS_TEST_TMPDIR" || exit 1
    mkdir reports
}

# Runs of the assignment demo, of which the first one is one day old, the next one two days ...
runs() { # NAME...
    local name days=0
    for name; do
        cp -r "$BATS_FILE_TMPDIR/reports/r" "reports/$name"
        days=$((days + 1))
        touch -d "$days days ago" "reports/$name/receipts.json"
    done
}

left() { ls -A reports; }

@test "prune: wrong arguments remove nothing" {
    runs a b
    run -2 "$PARAGRADE" prune
    assert_output --partial 'Give --older-than, --keep or both'
    run -2 "$PARAGRADE" prune --keep 1 a
    run -2 "$PARAGRADE" prune --keep -1
    run -2 "$PARAGRADE" prune --keep x
    run -2 "$PARAGRADE" prune --older-than soon
    run -2 "$PARAGRADE" prune --older-than 30
    assert_output "paragrade prune: --older-than: '30' has no unit; write 30d for days"
    run -2 "$PARAGRADE" prune --keep 1 --reports nowhere
    assert_output --partial 'nowhere: no such directory'
    run -0 left
    assert_output "$(printf 'a\nb')"
}

@test "prune: by age, by number, and by both" {
    runs a b c d e
    run -0 "$PARAGRADE" prune --tsv --older-than 36h --keep 4
    assert_line --regexp '^e.5.[0-9]+ KiB.removed'
    assert_line --regexp '^1 of 5 runs removed, [0-9]+ KiB freed'
    run -0 left
    assert_output "$(printf 'a\nb\nc\nd')"
    "$PARAGRADE" prune --tsv --keep 2 --older-than 100d >/dev/null
    run -0 left
    assert_output "$(printf 'a\nb\nc\nd')"
    "$PARAGRADE" prune --tsv --keep 3 >/dev/null
    run -0 left
    assert_output "$(printf 'a\nb\nc')"
    "$PARAGRADE" prune --tsv --older-than 60h >/dev/null
    run -0 left
    assert_output "$(printf 'a\nb')"
    run -0 "$PARAGRADE" prune --tsv --older-than 60h
    assert_output '0 of 2 runs removed, 0 KiB freed'
}

@test "prune: --keep counts the runs of each assignment" {
    runs a b c
    sed -i 's/^name: demo/name: other/' reports/c/assignment.yaml
    "$PARAGRADE" prune --tsv --keep 1 >/dev/null
    run -0 left
    assert_output "$(printf 'a\nc')"
}

@test "prune: of runs with one time, such as copies, the one that is newest by its name stays" {
    runs demo-20261101-120000 demo-20261201-120000
    touch -d '1 day ago' reports/*/receipts.json
    "$PARAGRADE" prune --tsv --keep 1 >/dev/null
    run -0 left
    assert_output demo-20261201-120000
}

# kind RUN JQ: change the plan of a run.
kind() {
    jq "$2" "reports/$1/plan.json" >plan.json
    mv plan.json "reports/$1/plan.json"
}

@test "prune: sweeps, rehearsals, checks and tests do not take the place of the graded class" {
    local few='.submissions |= (map(select(.id == "alice" or .reference == true))) | .units = []'
    runs sweep rehearse-demo-1 check few class older
    kind sweep '.sweep = true'
    kind rehearse-demo-1 '.run_id = "rehearse-demo-1"'
    kind check '.self_test = true'
    kind few "$few"
    run -0 "$PARAGRADE" prune --tsv --keep 1 --dry-run
    assert_line --regexp '^older.*would be removed.[0-9]+ students, without a roster'
    assert_line --regexp '^1 of 6 runs would be removed'
    run -0 "$PARAGRADE" prune --tsv --keep 0 --dry-run
    assert_line --regexp '^sweep.*would be removed.a sweep'
    assert_line --regexp '^rehearse-demo-1.*would be removed.a rehearsal'
    assert_line --regexp '^check.*would be removed.a check of '
    assert_line --regexp '^few.*would be removed.1 student, without a roster'
}

@test "prune: a run with grades of a roster goes only with --graded" {
    local roster='.roster = ["group"] | .submissions |= map(if .reference == true then . else .roster = ["1"] end)'
    runs test new old
    kind new "$roster"
    kind old "$roster"
    run -0 "$PARAGRADE" prune --tsv --keep 0 --dry-run
    assert_line --regexp '^new.*stays.it has grades; with --graded, it would go: [0-9]+ students of a roster'
    assert_line --regexp '^test.*would be removed'
    "$PARAGRADE" prune --tsv --older-than 1h >/dev/null
    run -0 left
    assert_output $'new\nold'
    "$PARAGRADE" prune --tsv --keep 1 --graded >/dev/null
    run -0 left
    assert_output new
}

@test "prune: --dry-run changes nothing, and says what would go" {
    runs a b
    mkdir reports/.pruned-old
    local before
    before=$(find reports | sort)
    run -0 "$PARAGRADE" prune --tsv --keep 0 --dry-run
    assert_line --regexp '^b.*would be removed'
    assert_line --regexp '^2 of 2 runs would be removed, [0-9]+ KiB would be freed'
    assert_equal "$(find reports | sort)" "$before"
}

@test "prune: what is not finished, is in use, or is no run stays" {
    runs fine open busy bare odd
    rm reports/open/units/alice.simd/result.json reports/bare/receipts.json
    echo '{' >reports/odd/plan.json
    mkdir reports/notes reports/target
    ln -s target reports/link
    cp -r reports/fine/. reports/target/
    mv reports/target elsewhere
    printf '{"boot":"%s","host":"%s","pid":%s,"start":"%s"}' "$(cat /proc/sys/kernel/random/boot_id)" \
        "$(hostname)" $$ "$(sed 's/.*) //' /proc/$$/stat | cut -d' ' -f20)" >reports/busy/lock
    run -0 "$PARAGRADE" prune --tsv --keep 0
    assert_line --regexp '^fine.*removed'
    assert_line --regexp '^open.*stays.it is not finished'
    assert_line --regexp '^busy.*stays.a process executes it'
    assert_line --regexp '^bare.*stays.its reports are not written yet'
    assert_line --regexp '^odd.*stays.it cannot be read'
    assert_line --regexp '^1 of 5 runs removed'
    run -0 left
    assert_output "$(printf 'bare\nbusy\nlink\nnotes\nodd\nopen')"
    assert [ -e elsewhere/plan.json ]
}

@test "prune: a run with jobs in Slurm stays, and so does every such run when Slurm is silent" {
    runs queued ended local
    local name
    for name in queued ended; do
        mkdir "reports/$name/slurm"
        printf '{"name": "pg-%s", "elements": 1, "throttle": 0, "units": ["alice.simd"]}' "$name" >"reports/$name/slurm/array-1.json"
        echo 7 >"reports/$name/slurm/array-1.job"
    done
    mkdir bin
    printf '#!/bin/sh\necho "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1\n' >bin/squeue
    chmod +x bin/squeue
    PATH=$PWD/bin:$PATH run -0 "$PARAGRADE" prune --tsv --keep 0 --dry-run
    assert_line --regexp '^queued.*stays.it used Slurm, which does not answer now'
    assert_line --regexp '^local.*would be removed'
    printf '#!/bin/sh\necho "7|0|PENDING||None|pg-queued"\n' >bin/squeue
    PATH=$PWD/bin:$PATH "$PARAGRADE" prune --tsv --keep 0 >/dev/null
    run -0 left
    assert_output queued
}

@test "prune: a run that got jobs in Slurm, or lost a result, after it was chosen stays" {
    local record='{"name": "pg-%s", "elements": 1, "throttle": 0, "units": ["alice.simd"]}'
    runs again open ended
    for name in again ended; do
        mkdir "reports/$name/slurm"
        # shellcheck disable=SC2059
        printf "$record" "$name" >"reports/$name/slurm/array-1.json"
        echo 7 >"reports/$name/slurm/array-1.job"
    done
    mkdir bin
    # The first answer is that nothing is in the queue. Right after it, two runs are executed again.
    cat >bin/squeue <<'SQUEUE'
#!/bin/sh
if [ ! -e asked ]; then
    touch asked
    rm reports/open/units/alice.simd/result.json
    exit
fi
echo "8|0|PENDING||None|pg-again"
SQUEUE
    chmod +x bin/squeue
    PATH=$PWD/bin:$PATH run -0 "$PARAGRADE" prune --tsv --keep 0
    assert_line --regexp '^again.*stays.it has jobs in Slurm'
    assert_line --regexp '^open.*stays.it is not finished'
    assert_line --regexp '^1 of 3 runs removed'
    run -0 left
    assert_output "$(printf 'again\nopen')"
    # Nobody holds them.
    assert [ ! -e reports/again/lock ]
    assert [ ! -e reports/open/lock ]
}

@test "prune: killed at any moment, it leaves whole runs, and the next call removes the rest" {
    local delay
    runs a b c d e f
    for delay in 0.005 0.01 0.02; do
        timeout -s KILL "$delay" "$PARAGRADE" prune --tsv --keep 1 >/dev/null || true
        for name in reports/*; do
            [ ! -e "$name" ] || "$PARAGRADE" status "$name" >/dev/null
        done
    done
    mkdir -p reports/.pruned-old/units
    "$PARAGRADE" prune --tsv --keep 1 >/dev/null
    run -0 left
    assert_output a
}
