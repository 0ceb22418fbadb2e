#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2119,SC2120,SC2317
# paragrade nightly: grading, the history, what is said and when. The nights are made up.

load ../helpers/common
load ../helpers/class
load ../helpers/nights
load ../helpers/terminal

setup() {
    make_class # proctors are fake: they time nothing
    export PARAGRADE_HISTORY=$PWD/h.sqlite
    nightly() { "$PARAGRADE" nightly -a a.yaml "$@"; }
}

# A history of 30 nights on 6 nodes. The night of today adds nothing.
old_history() {
    nightly >/dev/null 2>&1
    add_nights h.sqlite 30 6
}

@test "nightly: a first night is silent, leaves a history, and its run can be looked at" {
    run -0 nightly
    refute_output
    assert_equal "$(sqlite3 h.sqlite 'SELECT count(*) FROM run')" 1
    "$PARAGRADE" verify reports/nightly/*/*
    run -0 nightly --look
    assert_output '0 times of 0 nodes on 0 days; 0 new slowdowns'
    # Without a name, the history is beside the runs.
    PARAGRADE_HISTORY='' run -0 nightly
    [ -s reports/history.sqlite ]
}

@test "nightly: quiet nights are silent" {
    old_history
    run -0 nightly
    refute_output
    run -0 nightly --look
    assert_line --index 0 'Nodes, the slowest first'
    assert_line --index 1 --regexp '^node +level +noise +last night +nights +change$' ||
        assert_line --index 1 --regexp '^node +level +noise +last night +nights$'
    assert_line --index 8 '18 times of 6 nodes on 30 days; 0 new slowdowns'
    assert_equal "${#lines[@]}" 9
}

@test "nightly: a slower node is named once, with since when, how much, and what changed" {
    old_history
    slow_down h.sqlite n3 6 0.10
    sqlite3 h.sqlite "INSERT INTO facts VALUES (99, 'Xeon', '0x1', '6.1.0-20', '', 'gcc 12', 'abc');
        UPDATE measured SET facts = 99 WHERE time IN (SELECT id FROM time WHERE node = 'n3')
        AND at > '$(days_ago 7)T23:59:59Z'"
    run -1 nightly --prometheus p.prom
    assert_line --index 0 --regexp "^n3: (9\.[5-9]|10\.[0-9]) % slower since $(days_ago 6)\$"
    assert_line --index 1 --regexp '^  95 % interval: .* to .* %; by themselves, 3 of its 3 times changed$'
    assert_line --regexp '^  simd 128 +[0-9.]+ % slower \([0-9.]+ to [0-9.]+\)$'
    assert_line '    Linux kernel: 6.1.0-18 -> 6.1.0-20'
    assert_line '18 times of 6 nodes on 30 days; 1 new slowdown'
    refute_output --regexp 'n[12456]:'
    grep -qx 'paragrade_new_slowdowns 1' p.prom
    grep -qE '^paragrade_slowdown_ratio\{node="n3"\} 1\.(09|10)' p.prom
    grep -qx 'paragrade_slowdown_ratio{node="n1"} 1' p.prom
    assert_equal "$(stat -c %a p.prom)" 644
    # Known by now.
    run -0 nightly --prometheus p.prom
    refute_output
    grep -qx 'paragrade_new_slowdowns 0' p.prom
    run -0 nightly --look
    assert_line --regexp '^n3: .* slower since '
}

@test "nightly: a second slowdown of a node soon after the first one is reported, too" {
    old_history
    slow_down h.sqlite n3 13 0.05
    run -1 nightly
    assert_line --regexp '^n3: [45]\.[0-9] % slower since '
    slow_down h.sqlite n3 5 0.20
    run -1 nightly
    assert_line --regexp "^n3: (19|20)\.[0-9] % slower since $(days_ago 5)\$"
    refute_output --regexp '^n3: [45]\.'
    run -0 nightly
    refute_output
    run -0 nightly --look
    assert_equal "$(grep -c '^n3: .*slower' <<<"$output")" 2
}

@test "nightly: on this machine, in spite of a partition of the site, it says so where somebody looks" {
    echo 'partition: main' >site.yaml
    export PARAGRADE_SITE=$PWD/site.yaml
    run -0 nightly
    assert_output ''
    run -0 nightly --verbose
    assert_output --partial "only this machine is graded: $PWD/site.yaml:1 says how Slurm is asked"
}

@test "nightly: looking reports nothing as known; a smaller change is passed over" {
    old_history
    slow_down h.sqlite n3 8 0.05
    run -0 nightly --look --least 8
    refute_output --partial n3:
    run -1 nightly --look
    assert_output --partial 'n3: '
    run -1 nightly
    assert_output --partial 'n3: '
    assert_output --partial 'Changed at that time: nothing that is recorded'
    run -2 nightly --least none
    assert_output --partial -- --least
}

@test "nightly: a line for each node, slowest first, on 80 columns, for programs, and as a page" {
    old_history
    slow_down h.sqlite n3 6 0.10
    # n5 is new. n6 was not measured in the last nights.
    sqlite3 h.sqlite "DELETE FROM measured WHERE at < '$(days_ago 4)'
            AND time IN (SELECT id FROM time WHERE node = 'n5');
        DELETE FROM measured WHERE at > '$(days_ago 4)'
            AND time IN (SELECT id FROM time WHERE node = 'n6')"
    run -1 nightly --look
    assert_line --index 2 --regexp '^n3 +\+[0-9.]+ % +[0-9.]+ % +[+-]?[0-9.]+ % +- +6 +- +(9|10)\.[0-9] % slower since'
    assert_line --regexp '^n5 +[+-]?0\.[0-9] % +[01]\.[0-9] % +[+-]?[0-9.]+ % +- +4 +in 9 days +-$'
    assert_line --regexp '^n6 +.* % +4 +26 +- +-$'
    run -1 on_terminal 40x80 file "$PARAGRADE" nightly --look
    assert_equal "$(shown file | grep -c '^n[1-6] ')" 6
    [ "$(widest file)" -le 80 ]
    run -1 nightly --look --tsv
    assert_line --index 1 "$(printf 'node\tlevel\tnoise\tlast night\tdays ago\tnights\tverdict\tchange')"
    assert_line "$(printf 'node\tsince\tchange\tfrom\tto\ttimes\tchanged at that time')"
    run jq -r '.each_node[] | select(.node == "n5") | .nights, .days_to_verdict' <(nightly --look --json)
    assert_output $'4\n9'
    run -1 nightly --look --page p.html
    assert_equal "$(stat -c %a p.html)" 644
    assert_equal "$(grep -c '<th scope="row"[^>]*>n[1-6]<' p.html)" 7
    run grep -om 1 '<th scope="col">change</th>.*>level</th>' p.html # a telephone shows it
    assert_success
    grep -q 'slower since' p.html
    run -2 nightly --look --page nowhere/p.html
    run -2 nightly --tsv
}

@test "nightly: days since a node was measured are days of the calendar" {
    old_history
    # Nothing was measured in the last nights, and n2 not in the one before them either.
    sqlite3 h.sqlite "DELETE FROM measured WHERE at > '$(days_ago 5)T23:59:59Z';
        DELETE FROM measured WHERE at > '$(days_ago 6)T23:59:59Z'
            AND time IN (SELECT id FROM time WHERE node = 'n2')"
    run -0 nightly --prometheus p.prom
    grep -qx 'paragrade_days_since_measured{node="n1"} 5' p.prom
    grep -qx 'paragrade_days_since_measured{node="n2"} 6' p.prom
}

@test "nightly: what all nodes share is one event" {
    old_history
    for node in 1 2 3 4 5 6; do slow_down h.sqlite n$node 7 0.2; done
    run -1 nightly
    assert_line --index 0 --regexp "^all nodes: .* % slower since $(days_ago 7)\$"
    refute_output --regexp '^n[1-6]:'
}

@test "nightly: a fast node again is no alarm, but can be looked at" {
    old_history
    slow_down h.sqlite n2 8 -0.1
    run -0 nightly
    refute_output
    run -0 nightly --look
    assert_output --partial 'n2: '
    assert_output --partial 'faster since'
}

@test "nightly: a failing reference is said, and what was graded before stays" {
    mkdir wrongref && cp ref/* wrongref/
    sed 's/^reference: ref/reference: wrongref/' a.yaml >w.yaml
    FAKE_STATUS='reference.simd:1' run -1 "$PARAGRADE" nightly -a w.yaml
    assert_output --partial 'simd of the reference: infra-error: the proctor '
}

@test "nightly: what an interrupted night has left is added by the next one" {
    FAKE_SLEEP=30 "$PARAGRADE" nightly -a a.yaml >out 2>&1 &
    local pid=$!
    wait_until 20 compgen -G 'reports/nightly/*/*/units/*/attempt-*.json'
    kill -TERM $pid
    wait $pid && status=0 || status=$?
    assert_equal $status 3
    assert_equal "$(sqlite3 h.sqlite 'SELECT count(*) FROM run')" 0
    FAKE_SLEEP=0 "$PARAGRADE" resume -q reports/nightly/*/* >/dev/null
    sqlite3 h.sqlite 'DELETE FROM run'
    # A run of the same node in the same second would be taken for the same run.
    local second
    second=$(date +%s)
    while [ "$(date +%s)" = "$second" ]; do sleep 0.1; done
    run -0 nightly
    assert_equal "$(sqlite3 h.sqlite 'SELECT count(*) FROM run')" 2
}

@test "nightly: old runs are removed, and nothing else" {
    mkdir -p reports/nightly/20200101-030000/n1 reports/nightly/mine reports/20200101-030000
    run -0 nightly
    [ ! -e reports/nightly/20200101-030000 ]
    [ -e reports/nightly/mine ] && [ -e reports/20200101-030000 ]
    # Also when nothing can be graded, perhaps because the disk is full.
    mkdir -p reports/nightly/20200101-030000/n1
    sed 's|reference: .*|reference: nowhere|' a.yaml >broken.yaml
    run -2 "$PARAGRADE" nightly -a broken.yaml
    [ ! -e reports/nightly/20200101-030000 ]
}

@test "nightly: a run that cannot be read is named, and stops neither the others nor the removal" {
    local night
    night=reports/nightly/$(date -u -d '2 days ago' +%Y%m%d)-030000
    mkdir -p "$night/n1" reports/nightly/20200101-030000/n1
    echo '{' >"$night/n1/plan.json"
    touch "$night/n1/receipts.json"
    run -1 nightly
    assert_line --regexp "^${night##*/}/n1: cannot be read, so its times are missing: "
    assert_equal "$(sqlite3 h.sqlite 'SELECT count(*) FROM run')" 1
    [ ! -e reports/nightly/20200101-030000 ]
}

@test "nightly: a history that cannot be opened, and why" {
    run -2 nightly --history none/h.sqlite
    assert_output 'paragrade nightly: none/h.sqlite: cannot be opened: No such file or directory'
    run -2 nightly --history subs
    assert_output 'paragrade nightly: subs: cannot be opened: Is a directory'
}

@test "nightly: mistakes" {
    while IFS='|' read -r words says; do
        # shellcheck disable=SC2086
        run -2 "$PARAGRADE" nightly $words
        assert_output --partial "$says"
    done <<'TABLE'
-a a.yaml reports/x|runs are named with --add only
--add|--add needs the runs
--add --look x|cannot be combined
--sample 2 -a a.yaml|add --slurm
--keep 0|--keep
-t nope|no tier 'nope'
--false-alarms -1|--false-alarms
--add nowhere|no such run
--look --history none.sqlite|there is no history yet
--history a.yaml --look|is no history, or is damaged
-a nothing.yaml|nothing.yaml
TABLE
}

@test "nightly: each run feeds the history that is configured; a damaged one stops no grading" {
    unset PARAGRADE_PROCTOR
    mkdir -p subs2/s
    cp "$REPO/student_impls/alice/naive.c" subs2/s/
    sed -e 's/random: 3, max: 64, edges: yes/random: 1, max: 8, edges: no/' \
        -e 's|\.\./\.\./|'"$REPO"'/|' "$REPO/tests/fixtures/small.yaml" >real.yaml
    "$PARAGRADE" grade -q -a real.yaml --tier naive --run-id r subs2 >/dev/null
    run sqlite3 h.sqlite 'SELECT tier, size, seconds BETWEEN 1e-6 AND 1 FROM measured JOIN time ON id = time ORDER BY 1'
    assert_output "naive|128|1
yardstick simd|128|1"
    run sqlite3 h.sqlite "SELECT count(*) FROM facts WHERE kernel LIKE '$(uname -r)%' AND compiler <> ''"
    assert_output 1
    # Added once more: as before.
    run -0 "$PARAGRADE" nightly --add r r
    assert_equal "$(sqlite3 h.sqlite 'SELECT count(*) FROM measured')" 2
    # Students' own tests are not added.
    "$PARAGRADE" check -q -a real.yaml --tier naive --no-timing subs2/s >/dev/null
    assert_equal "$(sqlite3 h.sqlite 'SELECT count(*) FROM run')" 1
    echo 'no database, but a text that is long enough to be looked at as one' >h.sqlite
    run -0 "$PARAGRADE" report --csv-only r
    run -0 "$PARAGRADE" resume -q r
    assert_output --partial 'not added to the history'
}

@test "nightly: the lines for cron, scrontab and systemd work as they are written" {
    run -0 crontab -n "$REPO/sbatch/nightly.crontab"
    printf '7 3 * * * true \\\n  -x\n' >continued
    run ! crontab -n continued
    # scrontab's own lines are comments to cron.
    run -0 crontab -n "$REPO/sbatch/nightly.scrontab"
    mkdir -p units
    cp "$REPO"/sbatch/paragrade-nightly.* units/
    sed -i -e "s|/opt/paragrade/bin/paragrade|$PARAGRADE|" -e 's|^User=.*||' units/*.service
    run -0 systemd-analyze verify units/paragrade-nightly.timer units/paragrade-nightly.service
    refute_output --partial paragrade
    run -0 systemd-analyze calendar '*-*-* 03:07:00'
    # The command in all of them: every option exists.
    local file command
    for file in nightly.crontab nightly.scrontab paragrade-nightly.service; do
        command=$(grep -o 'paragrade nightly .*' "$REPO/sbatch/$file")
        # shellcheck disable=SC2086
        run -2 "$PARAGRADE" ${command#paragrade } --add
        assert_output --partial 'cannot be combined'
    done
}
