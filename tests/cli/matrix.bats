#!/usr/bin/env bats

load ../helpers/common

MATRICES=$REPO/testcases/spmm/matrices
BROKEN=$REPO/tests/fixtures/matrices

@test "matrix: a file that is wrong is refused, with its name, the line and the reason" {
    local name says
    while IFS='|' read -r name says; do
        run -2 --separate-stderr "$PARAGRADE" matrix "$BROKEN/$name.mtx"
        assert_equal "$output" ''
        # shellcheck disable=SC2154
        assert_equal "$stderr" "paragrade matrix: $BROKEN/$name.mtx:$says"
    done <<'TABLE'
absurd|2: 4000000000000000000 entries are announced, but the rest of the file has room for 1
both-triangles|6: row 1, column 2 is above the diagonal; a symmetric file lists the lower triangle
complex|1: type of values 'complex' is not supported; supported: real, integer, pattern
ends-early|5: the file ends after 2 of 3 entries
goes-on|7: the file goes on after the 2 entries that line 3 announces
mostly-empty|2: 2000000000 rows, but only 1 entries; more than 4194304 rows would be empty
no-banner|1: the first line must begin with %%MatrixMarket
not-finite|4: value: 'NaN' is not a number
truncated|6: wanted an entry: ROW COLUMN VALUE
zero-based|4: row: 0 is not between 1 and 3
TABLE
    for name in "$BROKEN"/*.mtx; do
        run -2 "$PARAGRADE" matrix --json "$name"
    done
}

@test "matrix: a missing file, a directory, no file" {
    run -2 "$PARAGRADE" matrix /nowhere.mtx
    assert_output "paragrade matrix: /nowhere.mtx: No such file or directory"
    run -2 "$PARAGRADE" matrix "$BATS_TEST_TMPDIR"
    assert_output --partial "is not a regular file"
    run -2 "$PARAGRADE" matrix
    assert_output --partial "give one or more Matrix Market files"
    run -2 "$PARAGRADE" matrix --json --picture "$MATRICES/poisson.mtx"
    assert_output --partial "--json has no pictures"
}

@test "matrix: one bad file does not hide the others" {
    run -2 --separate-stderr "$PARAGRADE" matrix "$MATRICES/arrow.mtx" /nowhere.mtx "$MATRICES/hilbert.mtx"
    assert_line --index 1 --regexp "arrow.mtx +200 "
    assert_line --index 2 --regexp "hilbert.mtx +12 "
    assert_equal "$stderr" "paragrade matrix: /nowhere.mtx: No such file or directory"
}

@test "matrix: what each matrix is like" {
    cd "$MATRICES"
    run -0 "$PARAGRADE" matrix --tsv ./*.mtx
    assert_output "$(tr '|' '\t' <<'TABLE'
file|rows|columns|nnz|row_min|row_mean|row_max|variance|empty_rows|padding|ell_mb|csr_mb|bandwidth|format|values|symmetry
./advection.mtx|256|256|960|2|3.75|4|0.2188|0|0.0625|0.01229|0.01255|16|coordinate|real|skew-symmetric
./arrow.mtx|200|200|598|2|2.99|200|195|0|0.985|0.48|0.00798|199|coordinate|integer|symmetric
./dense-row.mtx|500|500|999|1|1.998|500|497|0|0.996|3|0.01399|250|coordinate|integer|general
./divisors.mtx|240|240|1363|1|5.679|20|12.64|0|0.716|0.0576|0.01732|239|coordinate|pattern|general
./empty-rows.mtx|300|200|713|0|2.377|7|6.188|121|0.6605|0.0252|0.00976|266|coordinate|real|general
./hilbert.mtx|12|8|96|8|8|8|0|0|0|0.001152|0.001204|11|array|real|general
./poisson.mtx|400|400|1920|3|4.8|5|0.18|0|0.04|0.024|0.02464|20|coordinate|real|symmetric
TABLE
    )"
}

@test "matrix: the files are what their formulas give, and small" {
    run -0 "$MATRICES/generate" "$BATS_TEST_TMPDIR"
    run -0 diff -r --exclude=generate "$MATRICES" "$BATS_TEST_TMPDIR"
    run find "$MATRICES" -size +50k
    refute_output
}

@test "matrix: as JSON" {
    run -0 bash -c "'$PARAGRADE' matrix --json '$MATRICES'/{poisson,hilbert}.mtx | jq -r '.[] | [.listed, .nnz, .row_mean, .padding, .ell_bytes, .symmetry] | @csv'"
    assert_output '1160,1920,4.8,0.04,24000,"symmetric"
96,96,8,0,1152,"general"'
    printf '%%%%MatrixMarket matrix coordinate real general\n1 1 0\n' >"$BATS_TEST_TMPDIR/"$'a\e\xff.mtx'
    run -0 bash -c "'$PARAGRADE' matrix --json '$BATS_TEST_TMPDIR'/*.mtx | jq '.[0].padding'"
    assert_output 0
}

@test "matrix: a picture, in the characters of the locale" {
    printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n2 1\n3 3\n' >"$BATS_TEST_TMPDIR/a.mtx"
    cd "$BATS_TEST_TMPDIR"
    run -0 env LC_ALL=C "$PARAGRADE" matrix --picture a.mtx
    assert_equal "$(tail -n 7 <<<"$output")" "a.mtx: 3 x 3
+---+
|## |
|#  |
|  #|
+---+
stored elements per character:  # up to 100 %"
    run -0 env -u LC_ALL LC_CTYPE=C.UTF-8 LANG=C "$PARAGRADE" matrix --picture a.mtx
    assert_equal "$(tail -n 6 <<<"$output")" "┌───┐
│██ │
│█  │
│  █│
└───┘
stored elements per character:  █ up to 100 %"
    run -0 env -u LC_ALL -u LC_CTYPE LANG=C "$PARAGRADE" matrix --picture a.mtx
    assert_line "|## |"
}

@test "matrix: no picture is larger than 72 x 24" {
    local size
    for size in '1 1' '400 400' '1000000 10' '10 1000000' '1000000 2147483646' '3 70' '23 71' '1000 3000'; do
        printf '%%%%MatrixMarket matrix coordinate pattern general\n%s 1\n1 1\n' "$size" >"$BATS_TEST_TMPDIR/a.mtx"
        env LC_ALL=C "$PARAGRADE" matrix --picture "$BATS_TEST_TMPDIR/a.mtx" | grep '^[+|]' >"$BATS_TEST_TMPDIR/picture"
        [ "$(wc -L <"$BATS_TEST_TMPDIR/picture")" -le 72 ] || fail "$size: too wide"
        [ "$(wc -l <"$BATS_TEST_TMPDIR/picture")" -le 24 ] || fail "$size: too high"
        [ "$(head -c 12 <(tail -n +2 "$BATS_TEST_TMPDIR/picture") | tr -dc '#')" = '#' ] || fail "$size: no entry"
    done
}

@test "matrix: on a terminal, aligned and with a picture that fits it" {
    cd "$MATRICES"
    run -0 script -qec "stty cols 40; LC_ALL=C '$PARAGRADE' matrix dense-row.mtx" /dev/null
    refute_output --partial $'\t'
    tr -d '\r' <<<"$output" | grep '^[+|]' >"$BATS_TEST_TMPDIR/picture"
    assert_equal "$(wc -L <"$BATS_TEST_TMPDIR/picture")" 40
    assert_equal "$(wc -l <"$BATS_TEST_TMPDIR/picture")" 24
}

@test "matrix: a file cannot control the terminal" {
    printf '%%%%MatrixMarket matrix coordinate \e[2J general\n' >"$BATS_TEST_TMPDIR/a.mtx"
    run -2 "$PARAGRADE" matrix "$BATS_TEST_TMPDIR/a.mtx"
    refute_output --partial $'\e'
}

@test "matrix: a full disk is an error" {
    run -1 bash -c "'$PARAGRADE' matrix '$MATRICES/arrow.mtx' >/dev/full"
    assert_output --partial "standard output"
}
