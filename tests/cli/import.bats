#!/usr/bin/env bats

load ../helpers/common

FIXTURES=$REPO/tests/fixtures/import

setup() { cd "$BATS_TEST_TMPDIR" || exit 1; }

# put FILE TEXT: with its directories.
put() {
    mkdir -p "$(dirname "$1")"
    echo "$2" >"$1"
}

# Every file below a directory with its first line: "path: line", sorted.
contents() { # DIRECTORY
    (cd "$1" && find . -type f ! -name .imported | sort | while IFS= read -r f; do
        echo "${f#./}: $(head -n 1 "$f" | tr -d '\r')"
    done)
}

# A repository with a commit of one line at each of the given times.
repository() { # DIRECTORY TIME...
    local dir=$1 time
    shift
    git init -q "$dir"
    for time; do
        echo "at $time" >"$dir/naive.c"
        git -C "$dir" add .
        GIT_COMMITTER_DATE=$time git -C "$dir" -c user.name=x -c user.email=x@example.org \
            commit -q -m x --date="$time"
    done
}

@test "import: what cannot be understood" {
    local words says
    mkdir empty
    put plain/alice/naive.c 'int a;'
    put some.zip 'no archive'
    while IFS='|' read -r words says; do
        # shellcheck disable=SC2086
        run -2 "$PARAGRADE" import $words
        assert_output --partial "paragrade import: $says"
        [ ! -e out/roster.csv ]
    done <<'TABLE'
|give an archive or a directory
plain|give --to DIR
--to out nowhere.zip|nowhere.zip: no such file or directory
--to out empty|empty: holds no files
--to out some.zip|some.zip: cannot be unpacked
--to out plain|plain: the names follow the scheme of no platform
--to out --from moodle plain|plain: no name follows the scheme of moodle
--to out --from mooodle plain|--from is canvas, moodle, gradescope, github, blackboard, brightspace or directories, not 'mooodle'
--to out --deadline tomorrow plain|--deadline: 'tomorrow' is not a time; write it as 2026-11-30T23:59:00+01:00
TABLE
    [ ! -e out ] # nothing is left of it
    mkdir out
    run -2 "$PARAGRADE" import --to out some.zip
    [ -d out ] # somebody else made it
}

@test "import: Canvas: the last version of a file, late marks, archives in archives, litter" {
    run -1 --separate-stderr "$PARAGRADE" import --to out "$FIXTURES/canvas.zip"
    assert_output "4 submissions of 4 students imported into out
next: paragrade grade --roster out/roster.csv out"
    # shellcheck disable=SC2154
    assert_equal "$stderr" "$FIXTURES/canvas.zip: jonesanna_12345_678910_naive.c: left out: an earlier version of naive.c
writertom-12348: no files were handed in
the time of 4 submissions is not known, so there is no submitted.csv"
    [ ! -e out/submitted.csv ]
    run contents out
    assert_output 'jonesanna-12345/naive.c: int anna; /* second */
jonesanna-12345/simd.c: int simd;
leebob-12346/naive.c: int bob;
leebob-12346/simd.c: int inner;
m-llermia-12347/naive.c: int mia;
roster.csv: submission,name,canvas_id,late'
    run tr -d '\r' <out/roster.csv
    assert_output 'submission,name,canvas_id,late
jonesanna-12345,jonesanna,12345,
leebob-12346,leebob,12346,yes
m-llermia-12347,müllermia,12347,
writertom-12348,writertom,12348,'
    [ "$(od -c out/jonesanna-12345/naive.c | grep -c '\\r')" = 1 ] # line ends stay
}

@test "import: nothing gets out of the directory, and no link gets in" {
    mkdir -p deep/er
    cd deep/er
    run -1 --separate-stderr "$PARAGRADE" import --to out "$FIXTURES/hostile.zip"
    assert_output --partial "3 submissions of 3 students"
    run contents out
    assert_line 'good-1/naive.c: int good;'
    assert_line 'nest-4/naive.c: int nest;'
    assert_line --partial 'broken-5/work.zip: PK'
    run find out -type l
    assert_output ''
    # Other tests remove files meanwhile.
    assert_equal "$(find "$BATS_TEST_TMPDIR" /tmp -maxdepth 3 -name outside.c 2>/dev/null)" ''
    for name in evil_2_12 ../../outside.c /tmp/outside.c link_3_13 dots_6_16 mark_7_17 \
        'nest-4: work.zip: ../../outside.c' 'broken-5: work.zip: cannot be unpacked'; do
        [[ $stderr == *"$name"* ]] || fail "$stderr lacks $name"
    done
    # The same in a directory: links there are those of students, too.
    mkdir links
    ln -s /etc/passwd links/anna_1_1_naive.c
    ln -s /etc links/bob_2_2_work
    echo x >links/eve_3_3_naive.c
    run -1 "$PARAGRADE" import --to out2 links
    assert_output --partial "anna-1: naive.c: left out"
    run contents out2
    assert_output --partial 'eve-3/naive.c: x'
    refute_output --partial root
}

@test "import: Moodle: a directory for each student, online text, the archive of an archive" {
    put 'm/Anna Jones_1234567_assignsubmission_file_/naive.c' 'int anna;'
    put 'm/Anna Jones_1234567_assignsubmission_onlinetext_/onlinetext.html' 'hello'
    put "m/Jürgen O'Neil_1234568_assignsubmission_file_/src/naive.c" 'int j;'
    tar czf m.tar.gz m
    mkdir wrapped && mv m.tar.gz wrapped/
    run -0 "$PARAGRADE" import --to out wrapped
    run contents out
    assert_output "Anna-Jones-1234567/naive.c: int anna;
J-rgen-O-Neil-1234568/naive.c: int j;
roster.csv: submission,name,moodle_id"
    run "$PARAGRADE" import --to out2 m
    run diff -r --exclude=.imported out out2
    assert_output ''
}

@test "import: Gradescope: names, e-mail addresses and times; groups; the last attempt in time" {
    put g/assignment_1_export/submission_11/naive.c 'anna 1'
    put g/assignment_1_export/submission_12/naive.c 'anna and bob 2'
    cat >g/assignment_1_export/submission_metadata.yml <<'YAML'
---
submission_11:
  :submitters:
  - :name: Anna Jones
    :sid: '0045'
    :email: anna@example.org
  :created_at: 2026-03-12 22:58:00.123456000 Z
submission_12:
  :submitters:
  - :name: Bob Lee
    :sid: '0046'
    :email: bob@example.org
  - :name: Anna Jones
    :sid: '0045'
    :email: anna@example.org
  :created_at: 2026-03-13 00:00:00.000000000 +01:00
YAML
    run -0 "$PARAGRADE" import --to out g
    run contents out
    assert_line 'Anna-Jones-0045/naive.c: anna and bob 2'
    assert_line 'Bob-Lee-0046/naive.c: anna and bob 2'
    run tr -d '\r' <out/submitted.csv
    assert_output 'submission,submitted
Anna-Jones-0045,2026-03-12T23:00:00Z
Bob-Lee-0046,2026-03-12T23:00:00Z'
    run tr -d '\r' <out/roster.csv
    assert_line 'Anna-Jones-0045,Anna Jones,0045,anna@example.org'
    # With a deadline, into the same directory.
    run -0 "$PARAGRADE" import --to out --deadline 2026-03-12T23:59:00+01:00 g
    assert_line 'Bob-Lee-0046'
    assert_line '1 submission of 2 students imported into out'
    run contents out
    assert_output 'Anna-Jones-0045/naive.c: anna 1
roster.csv: submission,name,gradescope_id,email
submitted.csv: submission,submitted'
    run tr -d '\r' <out/submitted.csv
    assert_output 'submission,submitted
Anna-Jones-0045,2026-03-12T22:58:00Z'
    run -0 "$PARAGRADE" import --to fresh --deadline 2026-03-12T23:59:00+01:00 g
    run diff -r fresh out
    assert_output ''
    rm g/assignment_1_export/submission_metadata.yml
    run -1 "$PARAGRADE" import --to numbers g
    assert_line --partial 'has no submission_metadata.yml'
    [ -f numbers/12/naive.c ]
}

@test "import: a file and a directory of the same name are the student's mistake" {
    put gemm/naive.c inner
    tar czf gemm.tar.gz gemm
    put 'm/Anna Jones_11_assignsubmission_file_/gemm' binary
    cp gemm.tar.gz 'm/Anna Jones_11_assignsubmission_file_/'
    put 'm/Bob Lee_12_assignsubmission_file_/a.c' bob
    run -1 --separate-stderr "$PARAGRADE" import --to out m
    assert_output --partial '2 submissions of 2 students imported'
    # shellcheck disable=SC2154
    assert_equal "$(head -n 1 <<<"$stderr")" \
        'Anna-Jones-11: gemm: left out: there is a directory of the same name'
    run contents out
    assert_line 'Anna-Jones-11/naive.c: inner'
    assert_line 'Bob-Lee-12/a.c: bob'
    # The other way round.
    tar czf 'm/Bob Lee_12_assignsubmission_file_/x.tar.gz' -C 'm/Bob Lee_12_assignsubmission_file_' a.c
    rm 'm/Bob Lee_12_assignsubmission_file_/a.c'
    put 'm/Bob Lee_12_assignsubmission_file_/a.c/b.c' inner
    run -1 "$PARAGRADE" import --to out m
    assert_line 'Bob-Lee-12: a.c/b.c: left out: there is a file with the name of its directory'
    rm -r 'm/Bob Lee_12_assignsubmission_file_/'*
    # A path that is too long, of archives in archives.
    local name path
    name=$(printf '%250s' '' | tr ' ' x)
    path=$name/$name/$name/$name/$name/$name/$name
    mkdir -p "long/$path"
    echo deep >"long/$path/naive.c"
    for name in 1.tar.gz 2.tar.gz; do
        tar czf "$name" -C long "$path"
        rm -r "long/$path"/*
        mv "$name" "long/$path/"
    done
    tar czf 'm/Bob Lee_12_assignsubmission_file_/3.tar.gz' -C long "$path"
    run -1 "$PARAGRADE" import --to out m
    assert_output --partial 'naive.c: left out: its path is too long'
    assert_output --partial '2 submissions of 2 students imported'
    rm 'm/Bob Lee_12_assignsubmission_file_/'*
    # What is no mistake of a student ends the import, and names the student.
    head -c 100000 /dev/zero >'m/Bob Lee_12_assignsubmission_file_/a.c'
    # shellcheck disable=SC2016
    run -1 bash -c 'trap "" XFSZ; ulimit -f 20; exec "$1" import --to out m' - "$PARAGRADE"
    assert_output --partial 'paragrade import: Bob-Lee-12: '
    assert_output --partial 'File too large'
}

@test "import: files of the same name: those outside of archives count, and what is replaced is named" {
    put old/naive.c old
    put old/simd.c old
    put new/simd.c new
    mkdir d d/anna
    tar czf d/anna/1.tar.gz -C old naive.c simd.c
    tar czf d/anna/2.tar.gz -C new simd.c
    put d/anna/0.c zero
    put d/anna/naive.c corrected # after 1.tar.gz in the order of names
    put d/bob/Naive.c bob
    run -1 --separate-stderr "$PARAGRADE" import --from directories --to out d
    # shellcheck disable=SC2154
    assert_equal "$(head -n 2 <<<"$stderr")" 'anna: simd.c: replaced by the file of the same name in 2.tar.gz
anna: naive.c: replaced by the file of the same name outside of archives'
    run contents out
    assert_line 'anna/naive.c: corrected'
    assert_line 'anna/simd.c: new'
    # Before the archive in the order of names.
    mv d/anna/1.tar.gz d/anna/z.tar.gz
    run -1 "$PARAGRADE" import --from directories --to out d
    run contents out
    assert_line 'anna/naive.c: corrected'
    assert_line 'anna/simd.c: old'
}

@test "import: directories: dots in names; two sources for one student" {
    put a/naive.c 1
    mkdir d
    for name in anna.jones anna.smith; do tar czf "d/$name.tar.gz" -C a naive.c; done
    run -0 "$PARAGRADE" import --from directories --to out d
    run contents out
    assert_line 'anna.jones/naive.c: 1'
    assert_line 'anna.smith/naive.c: 1'
    put d/anna.smith/simd.c 2
    run -2 "$PARAGRADE" import --from directories --to out d
    assert_output "paragrade import: d: 'anna.smith.tar.gz' and 'anna.smith' are both of the student anna.smith; keep one of them"
    rm d/anna.smith/simd.c
    rmdir d/anna.smith
    cp d/anna.smith.tar.gz d/anna.smith.tgz
    run -2 "$PARAGRADE" import --from directories --to out d
    assert_output --partial "'anna.smith.tar.gz' and 'anna.smith.tgz' are both"
}

@test "import: students without any file that counts have a directory, a row and a message" {
    local dir
    put d/anna/naive.c 1
    mkdir -p d/berta d/.hidden d/__MACOSX d/emil/.git
    put d/carl/.DS_Store x
    put d/dora/__MACOSX/naive.c x
    ln -s anna d/link
    run -1 --separate-stderr "$PARAGRADE" import --from directories --to out d
    assert_output --partial '5 submissions of 5 students'
    # shellcheck disable=SC2154
    for dir in berta carl dora emil; do
        [[ $stderr == *"$dir: no files were handed in"* ]] || fail "$stderr lacks $dir"
        [ -d "out/$dir" ]
    done
    [[ $stderr == *'link: left out'* ]]
    run cut -d, -f1 out/roster.csv
    assert_output "submission
anna
berta
carl
dora
emil"
    # Beside the archive of a student, an empty directory says nothing.
    mkdir z
    tar czf z/anna.tar.gz -C d/anna naive.c
    mkdir z/anna z/berta
    run -1 "$PARAGRADE" import --from directories --to out2 z
    assert_line 'berta: no files were handed in'
    refute_output --partial 'anna: no files'
    # In an archive, with and without entries for directories; below a directory of the course.
    put 'm/class/Anna Jones_11_assignsubmission_file_/naive.c' 1
    put 'm/class/Berta Lee_12_assignsubmission_file_/.DS_Store' x
    mkdir 'm/class/Carl Fox_13_assignsubmission_file_' m/class/notes
    mkdir 'm/class/Dora May_14_assignsubmission_file_'
    ln -s /etc 'm/class/Dora May_14_assignsubmission_file_/etc'
    python3 - <<'PY'
import os, zipfile
with zipfile.ZipFile("m.zip", "w") as z:
    for d, _, files in os.walk("m"):
        for f in files:
            z.write(os.path.join(d, f), os.path.relpath(os.path.join(d, f), "m"))
PY
    run -1 "$PARAGRADE" import --to out3 m.zip
    assert_line 'Berta-Lee-12: no files were handed in'
    assert_output --partial '2 submissions of 2 students'
    tar czf m.tar.gz -C m class
    run -1 "$PARAGRADE" import --to out4 m.tar.gz
    assert_line 'Berta-Lee-12: no files were handed in'
    assert_line 'Carl-Fox-13: no files were handed in'
    assert_line 'Dora-May-14: no files were handed in'
    assert_output --partial '4 submissions of 4 students'
}

@test "import: directories that are too deep, or cannot be read, are named" {
    put d/anna/naive.c 1
    put d/anna/1/2/3/4/5/6/7/8/9/deep.c 1
    mkdir -p d/bob/1/2/3/4/5/6/7/8/9
    cp d/anna/naive.c d/bob/1/2/3/4/5/6/7/8/9/
    tar czf d/bob/a.tar.gz -C d/bob 1
    rm -r d/bob/1
    run -1 --separate-stderr "$PARAGRADE" import --from directories --to out d
    # shellcheck disable=SC2154
    assert_equal "$stderr" 'd: anna/1/2/3/4/5/6/7/8: left out: this directory is too deep, or cannot be read
bob: a.tar.gz: 1/2/3/4/5/6/7/8/9: left out: this directory is too deep, or cannot be read
bob: no files were handed in
the time of 2 submissions is not known, so there is no submitted.csv'
}

@test "import: too many files of one student do not stop the others" {
    repository c/gemm-anna 2026-03-01T10:00:00Z
    repository c/gemm-bob 2026-03-01T10:00:00Z
    (cd c/gemm-anna && seq 200000 | xargs touch)
    run -1 "$PARAGRADE" import --to out c
    assert_line 'c: gemm-anna: left out: holds more than 19999 files'
    assert_line 'anna: no files were handed in'
    run contents out
    assert_line 'bob/naive.c: at 2026-03-01T10:00:00Z'
    refute_output --partial anna/
}

@test "import: again: what the instructor wrote into roster.csv and submitted.csv stays" {
    put 'm/Anna Jones_11_assignsubmission_file_/naive.c' 1
    put 'm/Bob Lee_12_assignsubmission_file_/naive.c' 1
    run -0 "$PARAGRADE" import --to out m
    printf 'submission,submitted\nAnna-Jones-11,2026-03-12T22:00:00Z\nzoe,2026-03-12T23:00:00Z\n' >out/submitted.csv
    printf 'submission,name,moodle_id,email,group\nAnna-Jones-11,Anna,11,anna@example.org,-\nBob-Lee-12,,,,=B\n-own,,,,"+a,b"\n' >out/roster.csv
    run -0 --separate-stderr "$PARAGRADE" import --to out m
    # shellcheck disable=SC2154
    assert_equal "$stderr" 'the time of 1 submission is not known; submitted.csv leaves it out
the time of 1 submission is not known; submitted.csv keeps the earlier row; check it:
Anna-Jones-11'
    run tr -d '\r' <out/submitted.csv
    assert_output 'submission,submitted
Anna-Jones-11,2026-03-12T22:00:00Z
zoe,2026-03-12T23:00:00Z'
    # Times that are known are written, and a student who is too late has none.
    mkdir h
    repository h/gemm-zoe 2026-03-20T10:00:00Z
    run -0 --separate-stderr "$PARAGRADE" import --to out --prefix gemm- h
    run tr -d '\r' <out/submitted.csv
    assert_line zoe,2026-03-20T10:00:00Z
    run -0 "$PARAGRADE" import --to out --prefix gemm- --deadline 2026-03-20T09:00Z h
    run tr -d '\r' <out/submitted.csv
    assert_output 'submission,submitted
Anna-Jones-11,2026-03-12T22:00:00Z'
    run tr -d '\r' <out/roster.csv
    assert_output 'submission,name,moodle_id,email,group,github
Anna-Jones-11,Anna,11,anna@example.org,-,
Bob-Lee-12,Bob Lee,12,,=B,
-own,,,,"+a,b",
zoe,zoe,,,,zoe'
}

@test "import: downloads of several platforms: each has its own column" {
    put 'm/Anna Jones_11_assignsubmission_file_/naive.c' 1
    put c/leebob_11_100_naive.c 1
    run -0 "$PARAGRADE" import --to out c m
    run tr -d '\r' <out/roster.csv
    assert_output 'submission,name,canvas_id,moodle_id
Anna-Jones-11,Anna Jones,,11
leebob-11,leebob,11,'
}

@test "import: GitHub Classroom: the last commit in time; a repository runs nothing" {
    repository c/gemm-anna 2026-03-01T10:00:00Z 2026-03-20T10:00:00Z
    repository c/gemm-mary-ann 2026-03-20T11:00:00Z
    git init -q c/gemm-nobody
    # A signed commit, and a program that is to look at signatures.
    local signed
    signed=$(git -C c/gemm-anna cat-file commit HEAD |
        sed '/^committer /a gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----' |
        git -C c/gemm-anna hash-object -t commit -w --stdin)
    git -C c/gemm-anna update-ref HEAD "$signed"
    printf '#!/bin/sh\ntouch "%s/ran"\n' "$PWD" >gpg
    chmod +x gpg
    git -C c/gemm-anna gc -q
    git -C c/gemm-anna config core.fsmonitor "touch $PWD/ran"
    git -C c/gemm-anna config core.pager "touch $PWD/ran"
    git -C c/gemm-anna config gpg.program "$PWD/gpg"
    git -C c/gemm-anna config log.showSignature true
    run -1 "$PARAGRADE" import --to out c
    assert_line 'nobody: no files were handed in'
    run contents out
    assert_line 'anna/naive.c: at 2026-03-20T10:00:00Z'
    run tr -d '\r' <out/submitted.csv
    assert_output 'submission,submitted
anna,2026-03-20T10:00:00Z
mary-ann,2026-03-20T11:00:00Z'
    run "$PARAGRADE" import --to out --deadline 2026-03-20T11:00:00+01:00 c
    run contents out
    assert_line 'anna/naive.c: at 2026-03-20T10:00:00Z'
    run "$PARAGRADE" import --to out --deadline 2026-03-20T10:59:59+01:00 c
    assert_line 'mary-ann'
    run contents out
    assert_line 'anna/naive.c: at 2026-03-01T10:00:00Z'
    refute_output --partial mary-ann
    [ ! -e ran ]
    # One repository does not show where its name begins.
    rm -rf c/gemm-mary-ann c/gemm-nobody
    run -2 "$PARAGRADE" import --to one c
    assert_output --partial "--prefix gemm-"
    run -0 "$PARAGRADE" import --to one --prefix gemm- c
    [ -f one/anna/naive.c ]
    git clone -q --depth 1 "file://$PWD/c/gemm-anna" s/gemm-anna
    run -1 "$PARAGRADE" import --to shallow --prefix gemm- --deadline 2026-03-02T00:00Z s
    assert_output --partial "clone it without --depth"
}

@test "import: a history that git cannot read is not in time" {
    repository c/gemm-anna 2026-03-01T10:00:00Z 2026-03-20T10:00:00Z 2026-03-21T10:00:00Z
    local first
    first=$(git -C c/gemm-anna rev-parse HEAD~2)
    rm -f "c/gemm-anna/.git/objects/${first:0:2}/${first:2}"
    run -1 "$PARAGRADE" import --to out --prefix gemm- --deadline 2026-03-10T00:00Z c
    assert_line --partial 'c: gemm-anna: what was handed in before the deadline is not known: git cannot read its repository: '
    assert_line '1 student has handed in only after the deadline, and is left out:'
    [ ! -e out/anna ]
    # Without a deadline, or a later one, only the last commit matters.
    run -0 "$PARAGRADE" import --to out --prefix gemm- --deadline 2026-03-22T00:00Z c
    run tr -d '\r' <out/submitted.csv
    assert_line anna,2026-03-21T10:00:00Z
}

# 200 KB of a repository make 400 MB of files, and could as well make 400 GB.
@test "import: files of a commit that are too large are their student's mistake" {
    local blob i tree commit
    repository c/gemm-anna 2026-03-01T10:00:00Z
    repository c/gemm-bob 2026-03-01T10:00:00Z
    export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x
    blob=$(head -c 4M /dev/zero | git -C c/gemm-anna hash-object -w --stdin)
    tree=$(for ((i = 0; i < 100; i++)); do printf '100644 blob %s\t%s.c\n' "$blob" "$i"; done |
        git -C c/gemm-anna mktree)
    commit=$(GIT_COMMITTER_DATE=2026-03-02T10:00:00Z git -C c/gemm-anna commit-tree -p HEAD -m x "$tree")
    commit=$(GIT_COMMITTER_DATE=2026-03-20T10:00:00Z git -C c/gemm-anna commit-tree -p "$commit" -m x "HEAD^{tree}")
    git -C c/gemm-anna update-ref HEAD "$commit"
    run -1 "$PARAGRADE" import --to out --deadline 2026-03-10T00:00Z c
    assert_line 'anna: the files of the last commit in time are larger than 320 MiB together'
    run contents out
    assert_line 'bob/naive.c: at 2026-03-01T10:00:00Z'
    refute_output --partial anna/
}

@test "import: a repository that leads to a classmate's one" {
    local name
    repository c/gemm-bob 2026-03-01T10:00:00Z 2026-03-20T10:00:00Z
    for name in alice carl dora erin; do repository "c/gemm-$name" 2026-03-02T10:00:00Z; done
    rm -rf c/gemm-alice/.git c/gemm-{carl,dora}/.git/refs
    ln -s ../gemm-bob/.git c/gemm-alice/.git
    ln -s ../../gemm-bob/.git/refs c/gemm-carl/.git/refs
    ln -s ../../gemm-bob/.git/refs c/gemm-dora/.git/refs
    rm -rf c/gemm-carl/.git/objects
    ln -s ../../gemm-bob/.git/objects c/gemm-carl/.git/objects
    echo "$PWD/c/gemm-bob/.git/objects" >c/gemm-dora/.git/objects/info/alternates
    git -C c/gemm-bob rev-parse HEAD >c/gemm-erin/.git/HEAD
    echo "$PWD/c/gemm-bob/.git/objects" >c/gemm-erin/.git/objects/info/alternates
    [ "$(id -u)" != 0 ] || chown 4711 c/gemm-erin/.git/objects/info/alternates
    run -1 "$PARAGRADE" import --to out --deadline 2026-03-10T00:00Z c
    assert_line --partial 'c: gemm-alice: the time is not known: .git is a link'
    assert_line --partial 'c: gemm-carl: the time is not known: .git/objects is a link'
    assert_line --partial 'c: gemm-dora: the time is not known: .git/refs is a link'
    [ "$(id -u)" != 0 ] ||
        assert_line --partial "c: gemm-erin: the time is not known: .git/objects/info/alternates is not yours"
    run contents out
    assert_line 'bob/naive.c: at 2026-03-01T10:00:00Z'
    for name in alice carl dora; do assert_line "$name/naive.c: at 2026-03-02T10:00:00Z"; done
}

@test "import: a repository that leads to a classmate's one as soon as git reads it" {
    [ "$(id -u)" = 0 ] || skip "only root can make repositories of others"
    repository c/gemm-bob 2026-03-01T10:00:00Z
    repository c/gemm-alice 2026-03-02T10:00:00Z
    git -C c/gemm-bob rev-parse HEAD >c/gemm-alice/.git/HEAD
    git -C c/gemm-alice config gc.auto 0
    chown -R 4711 c/gemm-alice
    chown -R 4712 c/gemm-bob
    mkdir bin
    printf '#!/bin/sh\n[ -L "%s" ] || { mv "%s" "%s"; ln -s ../../gemm-bob/.git/objects "%s"; }\nexec %s "$@"\n' \
        "$PWD"/c/gemm-alice/.git/{objects,objects,before,objects} "$(command -v git)" >bin/git
    chmod +x bin/git
    PATH=$PWD/bin:$PATH run -1 "$PARAGRADE" import --to out --deadline 2026-03-10T00:00Z c
    [ -L c/gemm-alice/.git/objects ] # so it was read
    assert_line --partial 'c: gemm-alice: the time is not known: git cannot read its repository'
    run contents out
    assert_line 'bob/naive.c: at 2026-03-01T10:00:00Z'
    assert_line 'alice/naive.c: at 2026-03-02T10:00:00Z'
}

@test "import: several downloads: the later attempt counts, whatever the order" {
    put one/jonesanna_1_100_naive.c old
    put one/jonesanna_1_101_extra.c old
    put two/jonesanna_LATE_1_200_naive-1.c new
    for order in 'one two' 'two one'; do
        # shellcheck disable=SC2086
        run -0 "$PARAGRADE" import --to out $order
        run contents out
        assert_line 'jonesanna-1/naive.c: new'
        refute_output --partial extra
        # Canvas does not tell the time, so its mark decides.
        # shellcheck disable=SC2086
        run -0 "$PARAGRADE" import --to out --deadline '2026-03-12 23:59' $order
        run contents out
        assert_line 'jonesanna-1/naive.c: old'
        assert_line 'jonesanna-1/extra.c: old'
    done
}

@test "import: who was in time and hands in again too late keeps the earlier work" {
    put one/jonesanna_1_100_naive.c 'in time'
    put two/jonesanna_LATE_1_200_naive-1.c late
    put two/smithbob_LATE_2_201_naive.c late
    run -0 "$PARAGRADE" import --to out one
    run -0 "$PARAGRADE" import --to out --deadline '2026-03-12 23:59' two
    assert_line '1 student has handed in again after the deadline; the work that an earlier import took stays:'
    assert_line jonesanna-1
    assert_line '1 student has handed in only after the deadline, and is left out:'
    assert_line smithbob-2
    assert_line '0 submissions of 2 students imported into out'
    run contents out
    assert_line 'jonesanna-1/naive.c: in time'
    refute_line --partial smithbob-2/
    refute_line --partial yes # late
    # What the earlier import took may be too late, too.
    run -0 "$PARAGRADE" import --to out two
    run -0 "$PARAGRADE" import --to out --deadline '2026-03-12 23:59' two
    [ ! -e out/jonesanna-1 ]
    # Where the platform tells the time, that decides.
    repository c/gemm-anna 2026-03-01T10:00:00Z
    run -0 "$PARAGRADE" import --to git --prefix gemm- --deadline 2026-03-10T00:00Z c
    rm -rf c
    repository c/gemm-anna 2026-03-20T10:00:00Z
    run -0 "$PARAGRADE" import --to git --prefix gemm- --deadline 2026-03-10T00:00Z c
    assert_line anna
    run tr -d '\r' <git/submitted.csv
    assert_line anna,2026-03-01T10:00:00Z
    run -0 "$PARAGRADE" import --to git --prefix gemm- --deadline 2026-02-28T00:00Z c
    [ ! -e git/anna ] && [ ! -e git/submitted.csv ]
}

@test "import: again, interrupted, and into a directory in use" {
    put d/anna/naive.c 1
    put d/bob.c 1
    tar czf d/zoe.tar.gz -C d bob.c
    rm d/bob.c
    run -0 "$PARAGRADE" import --from directories --to out d
    run contents out
    assert_line 'zoe/bob.c: 1'
    cp -r out before
    # What an import that was killed leaves.
    mkdir -p out/.import/new out/.import/nested-0
    rm -r out/anna out/roster.csv
    run -0 "$PARAGRADE" import --from directories --to out d
    run diff -r before out
    assert_output ''
    # What the instructor added stays, and so do students of another import.
    printf 'submission,name,group\nanna,Anna Jones,Tue\nold,Old Tom,Wed\n' >out/roster.csv
    put d/anna/naive.c 2
    run -0 "$PARAGRADE" import --from directories --to out d
    run tr -d '\r' <out/roster.csv
    assert_output 'submission,name,group,directory
anna,Anna Jones,Tue,anna
old,Old Tom,Wed,
zoe,zoe,,zoe'
    [ "$(cat out/anna/naive.c)" = 2 ]
    # A directory that no import made is not touched, nor is anything else then.
    put d/anna/naive.c 3
    put d/bob/naive.c 3
    put out/bob/naive.c mine
    run -2 "$PARAGRADE" import --from directories --to out d
    assert_output --partial "out/bob exists, and no import made it"
    [ "$(cat out/anna/naive.c out/bob/naive.c)" = $'2\nmine' ]
    # Two at the same time.
    run -2 flock out "$PARAGRADE" import --from directories --to out d
    assert_output --partial "another import writes to it"
}

@test "import: Blackboard: the last attempt in time counts, and the text about it is no file" {
    put d/Lab_3_s1001_attempt_2024-03-12-10-11-12.txt 'Name: Ada Berg (s1001)'
    put d/Lab_3_s1001_attempt_2024-03-12-10-11-12_naive.c first
    put d/Lab_3_s1001_attempt_2024-03-12-10-11-12_my_attempt_2.c too
    put d/Lab_3_s1001_attempt_2024-03-14-09-00-00_naive.c second
    put d/Lab_3_s1002_attempt_2024-03-14-11-00-01_naive.c late
    TZ=UTC run -0 "$PARAGRADE" import --to last d
    assert_line '2 submissions of 2 students imported into last'
    run contents last
    assert_line 's1001/naive.c: second'
    TZ=UTC run -0 "$PARAGRADE" import --to in_time --deadline 2024-03-13T00:00Z d
    assert_line 's1002'
    run contents in_time
    assert_line 's1001/naive.c: first'
    assert_line 's1001/my_attempt_2.c: too'
    refute_line --partial s1002/
    run tr -d '\r' <in_time/submitted.csv
    assert_line 's1001,2024-03-12T10:11:12Z'
    run tr -d '\r' <in_time/roster.csv
    assert_line --index 0 --partial blackboard
}

@test "import: Blackboard: user names with the character that separates them" {
    local name=attempt_2024-03-12-10-11-12
    put d/Lab_3_jane_doe_${name}_naive.c jane
    put d/Lab_3_john_doe_${name}_naive.c john
    put d/Lab_3_s1001_${name}_naive.c s1001
    run -0 "$PARAGRADE" import --to out d
    assert_line "d: user names begin after 'Lab_3_'; if that is wrong, give --prefix"
    run contents out
    assert_line 'jane_doe/naive.c: jane'
    assert_line 'john_doe/naive.c: john'
    assert_line 's1001/naive.c: s1001'
    # One student alone: nothing says where the name begins.
    rm d/Lab_3_john* d/Lab_3_s1001*
    run -0 "$PARAGRADE" import --to one d
    assert_line "d: user names begin after 'Lab_3_jane_'; if that is wrong, give --prefix"
    run -0 "$PARAGRADE" import --to given --prefix Lab_3_ d
    run contents given
    assert_line 'jane_doe/naive.c: jane'
    run -2 "$PARAGRADE" import --to wrong --prefix Lab_4_ d
    assert_output --partial "d: no user name follows after --prefix 'Lab_4_'; the first name is 'Lab_3_jane"
}

@test "import: Brightspace: a directory for each attempt" {
    put d/index.html x
    put 'd/90210-73001 - Ada Berg - Mar 12, 2024 1011 AM/naive.c' first
    put 'd/90210-73001 - Ada Berg - Mar 14, 2024 1200 PM/naive.c' second
    put 'd/90211-73001 - Bo van - der Chen - Mar 12, 2024 1205 AM/src/naive.c' only
    TZ=UTC run -0 "$PARAGRADE" import --to last d
    assert_line '2 submissions of 2 students imported into last'
    run tr -d '\r' <last/submitted.csv
    assert_line --partial ',2024-03-14T12:00:00Z'
    assert_line --partial ',2024-03-12T00:05:00Z'
    run tr -d '\r' <last/roster.csv
    assert_line --partial ',Ada Berg,90210'
    assert_line --partial ',Bo van - der Chen,90211'
    TZ=UTC run -0 "$PARAGRADE" import --to in_time --deadline 2024-03-13T00:00Z d
    run contents in_time
    assert_line --partial 'naive.c: first'
}

@test "import: Brightspace: all files side by side" {
    put d/index.html x
    put 'd/90210-73001 - Ada Berg - Mar 12, 2024 1011 AM - naive.c' first
    put 'd/90210-73001 - Ada Berg - Mar 12, 2024 1011 AM - my - simd.c' too
    put 'd/90210-73001 - Ada Berg - Mar 14, 2024 1200 PM - naive.c' second
    put 'd/90211-73001 - Bo van - der Chen - Mar 12, 2024 1205 AM - naive.c' only
    TZ=UTC run -0 "$PARAGRADE" import --to last d
    assert_line '2 submissions of 2 students imported into last'
    run contents last
    assert_line 'Ada-Berg-90210/naive.c: second'
    refute_line --partial simd.c
    assert_line 'Bo-van-der-Chen-90211/naive.c: only'
    TZ=UTC run -0 "$PARAGRADE" import --to in_time --deadline 2024-03-13T00:00Z d
    run contents in_time
    assert_line 'Ada-Berg-90210/naive.c: first'
    assert_line 'Ada-Berg-90210/my - simd.c: too'
}

@test "import: the grader takes what was imported, with the roster" {
    load ../helpers/class
    make_class
    "$PARAGRADE" import --to imported "$FIXTURES/canvas.zip" || true
    run "$PARAGRADE" grade -q -a a.yaml --run-id r --roster imported/roster.csv imported
    run cut -d, -f1-4 reports/r/grades.csv
    assert_line --index 1 --partial 'jonesanna-12345,jonesanna,jonesanna-12345,12345'
    assert_line --index 3 --partial 'm-llermia-12347,müllermia,m-llermia-12347,12347'
    assert_line --index 4 --partial 'writertom-12348'
    run grep -c ',pass,' reports/r/units.csv
    assert_output 8 # three tiers of the reference, and five of students
}

@test "import: the gradebook has the real names, and who handed in nothing" {
    printf '%s\n' 'Student,ID,SIS Login ID,Lab 2 (411)' ',,,Manual Posting' '    Points Possible,,,10' \
        '"Jones, Anna",12345,ajones,' '"Lee, Bob",12346,blee,' '"Müller, Mia",12347,mia,' \
        '"Absent, Ann B.",12349,ann,' '"Student, Test",12399,,' >book.csv
    run -1 --separate-stderr "$PARAGRADE" import --to out --gradebook book.csv "$FIXTURES/canvas.zip"
    assert_line '1 of 4 students of the gradebook handed in nothing; in the roster, too'
    assert_regex "$stderr" $'1 student has handed in, and is not in the gradebook:\nwritertom-12348'
    [ ! -e out/absentannb-12349 ]
    run tr -d '\r' <out/roster.csv
    assert_output 'submission,name,canvas_id,late
absentannb-12349,Ann B. Absent,12349,
jonesanna-12345,Anna Jones,12345,
leebob-12346,Bob Lee,12346,yes
m-llermia-12347,Mia Müller,12347,
writertom-12348,writertom,12348,'
    # Later, and with a name that somebody has written.
    sed -i 's/Bob Lee/Robert Lee/' out/roster.csv
    put late/absentannb_12349_678960_naive.c 'int ann;'
    put late/leebob_12346_678961_naive.c 'int bob;'
    run -0 --separate-stderr "$PARAGRADE" import --to out --gradebook book.csv late
    run tr -d '\r' <out/roster.csv
    assert_line 'absentannb-12349,Ann B. Absent,12349,'
    assert_line 'leebob-12346,Robert Lee,12346,'
    assert_line 'jonesanna-12345,Anna Jones,12345,'
}

@test "import: a gradebook with names in two columns, and an id that the download does not have" {
    printf '%s\n' 'First name;Surname;ID number;Email address;Lab' 'Anna;Jones;0010011;ada@uni.example;-' \
        'Bo;Chen;0010012;bo@uni.example;-' >book.csv
    put 'one/Anna Jones_4711_assignsubmission_file_/naive.c' 'int a;'
    run -0 "$PARAGRADE" import --to out --gradebook book.csv one
    run tr -d '\r' <out/roster.csv
    assert_line 'Anna-Jones-4711,Anna Jones,4711,ada@uni.example'
    assert_line --regexp '^Bo-Chen-[0-9a-f]{6},Bo Chen,,bo@uni.example$'
    put 'one/Bo Chen_4712_assignsubmission_file_/naive.c' 'int b;'
    run -0 "$PARAGRADE" import --to out --gradebook book.csv one
    assert_line '0 of 2 students of the gradebook handed in nothing'
    run tr -d '\r' <out/roster.csv
    assert_line 'Anna-Jones-4711,Anna Jones,4711,ada@uni.example'
    assert_line --regexp '^Bo-Chen-[0-9a-f]{6},Bo Chen,4712,bo@uni.example$' # the name of the absent one stays
    assert_equal "${#lines[@]}" 3
    # Another course's, and one without names: nothing changes.
    printf 'Name,ID\nZoe Zimmer,99\n' >other.csv
    run -2 "$PARAGRADE" import --to new --gradebook other.csv one
    assert_output --partial 'other.csv: has none of the 2 students, for example not Anna-Jones-4711'
    printf 'ID,Grade\n4711,1\n' >nameless.csv
    run -2 "$PARAGRADE" import --to new --gradebook nameless.csv one
    assert_output --partial "nameless.csv:1: no column has the names of students: call it 'Name'"
    run -2 "$PARAGRADE" import --to new --gradebook nowhere.csv one
    assert_output --partial 'nowhere.csv'
    [ ! -e new/Anna-Jones-4711 ]
}

@test "import: who was absent and hands in later keeps the row, its name and what was added" {
    put moodle/Ann_11_assignsubmission_file/naive.c 'int a;'
    printf '%s\n' Name,Mark Ann,- 'Bo Chen,-' >book.csv
    run -0 "$PARAGRADE" import --to out --gradebook book.csv moodle
    load ../helpers/class
    make_class
    "$PARAGRADE" grade -q -a a.yaml --run-id r --roster out/roster.csv out >/dev/null 2>&1
    sed -i -e 's/\r$//' -e '1s/$/,tutor/' -e '2,$s/$/,Tue/' out/roster.csv
    put 'moodle/Bo Chen_12_assignsubmission_file/naive.c' 'int b;'
    for gradebook in --gradebook=book.csv ''; do # with it, then the platform's id says who that is
        run -0 "$PARAGRADE" import --to out $gradebook moodle
        run tr -d '\r' <out/roster.csv
        assert_line --index 1 'Ann-11,Ann,11,Tue'
        assert_line --index 2 --regexp '^Bo-Chen-[0-9a-f]{6},Bo Chen,12,Tue$'
        assert_equal "${#lines[@]}" 3
    done
    # So the run takes the later work.
    run -0 "$PARAGRADE" regrade -q r
    assert_line --regexp '^Bo-Chen-[0-9a-f]{6} .* naive missing -> pass'
    # A platform that writes no names.
    local name=attempt_2024-03-12-10-11-12
    put bb/Lab_ann_${name}_naive.c 'int a;'
    printf '%s\n' 'Username,First name,Last name' ann,Ann,May bo,Bo,Chen >book.csv
    run -0 "$PARAGRADE" import --to users --gradebook book.csv bb
    put bb/Lab_bo_${name}_naive.c 'int b;'
    run -0 "$PARAGRADE" import --to users bb
    run tr -d '\r' <users/roster.csv
    assert_output 'submission,name,blackboard
ann,Ann May,ann
bo,Bo Chen,bo'
}

@test "import: Canvas: family names of several words, of somebody who hands in later" {
    put d/jonesanna_12345_678_naive.c 'int a;'
    printf '%s\n' 'Student,ID,Lab (4)' '"Jones, Anna",12345,' '"van der Berg, Zoë",12350,' >book.csv
    run -0 "$PARAGRADE" import --to out --gradebook book.csv d
    put d/vanderbergzoë_12350_679_naive.c 'int z;'
    run -0 "$PARAGRADE" import --to out d
    run tr -d '\r' <out/roster.csv
    assert_output 'submission,name,canvas_id
jonesanna-12345,Anna Jones,12345
vanderbergzo-12350,Zoë van der Berg,12350'
    # A gradebook without Canvas's ids: by the name that Canvas makes of two columns.
    printf '%s\n' 'First name,Last name,E-mail' Anna,Jones,a@x.example 'Zoë,van der Berg,z@x.example' >list.csv
    run -0 "$PARAGRADE" import --to names --gradebook list.csv d
    run tr -d '\r' <names/roster.csv
    assert_line 'vanderbergzo-12350,Zoë van der Berg,12350,z@x.example'
}

@test "import: Gradescope and the gradebook of Canvas, by names alone" {
    put d/submission_1/naive.c 'int a;'
    printf '%s\n' submission_1: '  :submitters:' '  - :name: Anna Jones' '    :email: a@x.example' >d/submission_metadata.yml
    printf '%s\n' 'Student,ID,Lab (4)' ',,Manual Posting' '    Points Possible,,30' '"Jones, Anna",12345,' \
        '"May, Bo",12346,' '"Student, Test",99999,' >book.csv
    run -0 "$PARAGRADE" import --to out --gradebook book.csv d
    assert_line '1 of 2 students of the gradebook handed in nothing; in the roster, too'
    run cut -d, -f2 out/roster.csv
    assert_output 'name
Anna Jones
Bo May'
}

@test "import: a gradebook that knows only names gives the roster its ids" {
    put 'd/90210-73001 - Ada Berg - Mar 12, 2024 1011 AM/naive.c' 'int a;'
    printf '%s\n' 'Last Name,First Name,Group,OrgDefinedId,Username,Lab Points Grade' 'Berg,Ada,2001,#0501,#aberg1,' \
        'Chen,Bo,2001,#0502,#bchen1,' >book.csv
    run -0 "$PARAGRADE" import --to out --gradebook book.csv d
    run bash -c "tr -d '\r' <out/roster.csv | cut -d, -f2-"
    assert_output 'name,brightspace,OrgDefinedId
Ada Berg,90210,#0501
Bo Chen,,#0502'
    load ../helpers/class
    make_class
    "$PARAGRADE" grade -q -a a.yaml --run-id r --roster out/roster.csv out >/dev/null 2>&1
    run -0 "$PARAGRADE" export --moodle book.csv --column Lab -o filled.csv r
    assert_line "students were found by 'OrgDefinedId' = 'OrgDefinedId'"
}

@test "import: Moodle: the times of the grading worksheet" {
    export TZ=Europe/Berlin
    put 'one/Anna Jones_11_assignsubmission_file_/naive.c' 'int a;'
    put 'one/Bo Chen_12_assignsubmission_file_/naive.c' 'int early;'
    put 'two/Bo Chen_12_assignsubmission_file_/naive.c' 'int late;'
    put 'two/Cem Oz_13_assignsubmission_file_/naive.c' 'int c;'
    put 'two/Dora Ng_14_assignsubmission_file_/naive.c' 'int d;'
    cat >book.csv <<'CSV'
Identifier,Full name,Email address,Status,Last modified (submission)
Participant 11,Anna Jones,a@x.example,Submitted,"Thursday, 12 March 2026, 11:59 PM"
Participant 12,Bo Chen,b@x.example,Submitted,"Friday, 13 March 2026, 9:05 AM"
Participant 13,Cem Oz,c@x.example,Submitted,"Freitag, 13. März 2026, 09:05"
Participant 14,Dora Ng,d@x.example,Submitted,"Friday, 13 March 2026, 9:05 AM"
Participant 15,Eve May,e@x.example,No submission,-
CSV
    run -1 "$PARAGRADE" import --to out --gradebook book.csv one two
    assert_line "book.csv: 'Freitag, 13. März 2026, 09:05' is no time in English: write it into submitted.csv, or export the worksheet in English"
    run tr -d '\r' <out/submitted.csv
    assert_output 'submission,submitted
Anna-Jones-11,2026-03-12T22:59:00Z
Bo-Chen-12,2026-03-13T08:05:00Z
Dora-Ng-14,2026-03-13T08:05:00Z'
    grep -q late out/Bo-Chen-12/naive.c
    # With a deadline: of Bo, the earlier download counts, whose time nobody tells; Dora has none.
    run -1 "$PARAGRADE" import --to new --gradebook book.csv --deadline '2026-03-12 23:59' one two
    grep -q early new/Bo-Chen-12/naive.c
    assert [ ! -e new/Dora-Ng-14 ]
    run tr -d '\r' <new/submitted.csv
    assert_output 'submission,submitted
Anna-Jones-11,2026-03-12T22:59:00Z'
}

@test "import: Moodle: the worksheet of an anonymous assignment has no names" {
    put d/Participant_11_assignsubmission_file/naive.c 'int a;'
    cat >book.csv <<'CSV'
Identifier,Status,Grade,"Maximum Grade","Last modified (submission)"
"Participant 12","No submission",,30.00,-
"Participant 11","Submitted for grading",,30.00,"Thursday, 12 March 2026, 11:59 PM"
CSV
    TZ=UTC run -0 "$PARAGRADE" import --to out --gradebook book.csv d
    assert_line '1 of 2 students of the gradebook handed in nothing; in the roster, too'
    run tr -d '\r' <out/roster.csv
    assert_output 'submission,name,moodle_id
Participant-11-11,Participant 11,11
Participant-12-12,Participant 12,12'
    run tr -d '\r' <out/submitted.csv
    assert_line Participant-11-11,2026-03-12T23:59:00Z
}

@test "import: names that several people have: nobody is taken for somebody else, or as absent" {
    put 'm/Kim Lee_11_assignsubmission_file_/naive.c' 'int kim;'
    put 'm/Lee Kim_12_assignsubmission_file_/naive.c' 'int lee;'
    put 'm/Ann Fox_13_assignsubmission_file_/naive.c' 'int one;'
    put 'm/Bo Chen_14_assignsubmission_file_/naive.c' 'int bo;'
    put 'm/Bo Chen_15_assignsubmission_file_/naive.c' 'int guest;'
    put 'early/Eve May_16_assignsubmission_file_/naive.c' 'int eve;'
    printf '%s\n' 'First name,Last name,Number,E-mail' 'Kim,Lee,5011,kim@example.org' 'Lee,Kim,5012,lee@example.org' \
        'Ann,Fox,5013,ann1@example.org' 'Ann,Fox,5014,ann2@example.org' 'Bo,Chen,5015,bo@example.org' \
        'Eve,May,5016,eve@example.org' 'Tom,Ill,5017,tom@example.org' >book.csv
    run -0 "$PARAGRADE" import --to out --gradebook book.csv early
    assert_line '6 of 7 students of the gradebook handed in nothing; in the roster, too'
    mv early/* m
    run -1 --separate-stderr "$PARAGRADE" import --to out --gradebook book.csv m
    # shellcheck disable=SC2154
    assert_regex "$stderr" "5 students handed in whose names do not say who they are in the gradebook, so 5 students of the gradebook are not in the roster:
Ann-Fox-13
Bo-Chen-14
Bo-Chen-15
Kim-Lee-11
Lee-Kim-12
"'to say who somebody is, write an id or the address of the gradebook into the row of out/roster.csv, not into name but into a column such as email, and import again$'
    assert_line '1 of 7 students of the gradebook handed in nothing; in the roster, too'
    run bash -c "tr -d '\\r' <out/roster.csv | sed 's/^Tom-Ill-......,/Tom-Ill,/' | LC_ALL=C sort"
    assert_output 'Ann-Fox-13,Ann Fox,13,
Bo-Chen-14,Bo Chen,14,
Bo-Chen-15,Bo Chen,15,
Eve-May-16,Eve May,16,eve@example.org
Kim-Lee-11,Kim Lee,11,
Lee-Kim-12,Lee Kim,12,
Tom-Ill,Tom Ill,,tom@example.org
submission,name,moodle_id,email'
    # What the instructor writes: an address for most, a number of the gradebook for one.
    sed -i -e '/Ann-Fox-13/s/,\r*$/,ann2@example.org/' -e '/Kim-Lee-11/s/,\r*$/,kim@example.org/' out/roster.csv
    sed -i -e 's/\r$//' -e 's/$/,/' -e '1s/,$/,number/' -e '/Bo-Chen-15/s/,$/,5015/' out/roster.csv
    # Somebody whose name is the only one hands in later.
    put 'm/Tom Ill_17_assignsubmission_file_/naive.c' 'int tom;'
    run -0 --separate-stderr "$PARAGRADE" import --to out --gradebook book.csv m
    assert_regex "$stderr" $'1 student has handed in, and is not in the gradebook:\nBo-Chen-14\nto say who'
    assert_line '1 of 7 students of the gradebook handed in nothing; in the roster, too'
    run bash -c "tr -d '\\r' <out/roster.csv | sed -E 's/^(Ann-Fox|Tom-Ill)-[0-9a-f]{6},/\1,/' | LC_ALL=C sort"
    assert_output 'Ann-Fox,Ann Fox,,ann1@example.org,
Ann-Fox-13,Ann Fox,13,ann2@example.org,
Bo-Chen-14,Bo Chen,14,,
Bo-Chen-15,Bo Chen,15,bo@example.org,5015
Eve-May-16,Eve May,16,eve@example.org,
Kim-Lee-11,Kim Lee,11,kim@example.org,
Lee-Kim-12,Lee Kim,12,lee@example.org,
Tom-Ill,Tom Ill,17,tom@example.org,
submission,name,moodle_id,email,number'
}
