#!/usr/bin/env bats
# The product of a sparse and a dense matrix: two ways to store the matrix in one assignment, sizes with
# a structure, and the mistakes that are named.

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    cp -r "$REPO/testcases/spmm/matrices" .
    # Small sizes and short times: they need not be precise here. Without optimisation the fast ones are
    # compiled in a third of the time.
    sed -e "s|reference: .*|reference: $REPO/reference/spmm|" -e 's/budget: [0-9]*ms/budget: 1ms/' \
        -e 's/^  stress_threads: .*/&\n  smallest_time: 50ms/' -e 's/precision: 0.05/precision: 0.3/' -e 's/quiet_node: true/quiet_node: false/' -e '/^kernel:/a sanitized: off' -e 's/-O3 -mavx2/-O0 -mavx2/' \
        -e 's|sizes: \[poisson:10000x8, .*|sizes: [poisson:900x8, "uniform-20:400x300x8", rmat-64:2048x3, "matrices/divisors.mtx:8"]|' \
        "$REPO/testcases/spmm/spmm.yaml" >a.yaml
    # For runs in which the yardstick does not matter: the fast ones are compiled for seconds.
    sed 's/^yardstick: csr-simd/yardstick: csr-serial/' a.yaml >serial.yaml
    local tiers=(-t csr-serial -t csr-simd -t csr-openmp -t csr-dynamic -t ell-serial -t ell-simd -t ell-openmp)
    "$PARAGRADE" grade -q -a a.yaml -p quick "${tiers[@]}" --run-id r "$REPO/testcases/examples/spmm" >out.txt 2>err.txt ||
        [ $? = 1 ] || {
        cat err.txt
        return 1
    }
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

expect() { has_verdict reports/r "$@" out.txt; } # SUBMISSION TIER VERDICT

rows() { grep "^$1,$2,.*,$3," reports/r/cases.csv; } # SUBMISSION TIER VERDICT

@test "sparse: the reference passes in every tier" {
    local tier
    for tier in csr-serial csr-simd csr-openmp csr-dynamic ell-serial ell-simd ell-openmp; do
        expect reference $tier pass
    done
}

@test "sparse: honest kernels pass, and each mistake is named" {
    expect ana csr-serial pass
    expect ana csr-openmp pass
    expect ana ell-serial pass
    expect dan csr-serial pass
    local tier
    for tier in csr-serial csr-simd csr-openmp csr-dynamic ell-serial ell-simd ell-openmp; do
        expect template $tier missing # not yet written
    done
    expect ben csr-serial wrong-answer
    run -0 rows ben csr-serial wrong-answer
    assert_output --partial 'never written; these rows of A have no entries, so these rows of Y are zero'
    expect cleo csr-serial wrong-answer
    run -0 rows cleo csr-serial wrong-answer
    assert_output --partial 'this looks like a float or double that was converted to int'
    expect dan ell-serial wrong-answer
    run -0 rows dan ell-serial wrong-answer
    assert_output --partial 'as in CSR; in ELLPACK, row i starts at i * width'
}

@test "sparse: tables have the structure and what follows from it" {
    run -0 head -n 1 reports/r/cases.csv
    assert_output --partial ',kind,m,n,k,structure,nnz,width,padding,nnz_variance,values,'
    run -0 rows ana csr-serial pass
    assert_line --partial ',performance,900,900,8,poisson,4380,5,0.0266667,0.'
    assert_line --partial ',performance,400,300,8,uniform-20,8000,20,0,0,'
    run -0 head -n 1 reports/r/samples.csv
    assert_output --partial ',size,m,n,k,structure,nnz,width,padding,nnz_variance,ranks,threads,nodes,gpus,start,sample,reps,seconds,gops,'
    run -0 grep '^ana,csr-serial,' reports/r/samples.csv
    assert_line --regexp '^ana,csr-serial,matrices/divisors.mtx:8,240,240,8,matrices/divisors.mtx,1363,20,0.716042,12.6429,1,1,'
    run -0 jq -c '.[] | select(.kind == "performance") | [.structure, .m, .k, .nnz, .width]' \
        <("$PARAGRADE" cases --json --profile quick a.yaml)
    assert_line '["uniform-20",400,8,8000,20]'
    run -0 jq -c '[.units[].failed_cases[].shape | keys] | unique' <("$PARAGRADE" report --json r)
    assert_output '[["k","m","n","nnz","nnz_variance","padding","structure","width"]]'
}

@test "sparse: both formats are timed at the same sizes, over one baseline" {
    run -0 grep -c '^reference,ell-serial,1,1,1,0,poisson:900x8,' reports/r/speedup.csv
    assert_output 1
    run -0 grep -cE '^reference,ell-openmp,csr-openmp,.*,(poisson|uniform-20|rmat-64):' reports/r/versus.csv
    assert_output 6 # three sizes, one thread and two
    local csr ell
    csr=$(ls reports/r/nodes/*csr-simd.json) ell=$(ls reports/r/nodes/*ell-simd.json)
    # Only one of the records has it: those of the other yardstick were timed alone.
    run jq -c '.calibrations[] | select(.shape[0] == "poisson") | [.samples[].unit | numbers] | length >= 3' "$csr" "$ell"
    assert_output $'true\nfalse'
}

@test "sparse: a size that ELLPACK cannot store is left out there, and refused as a size of such a tier" {
    run -0 "$PARAGRADE" cases --tier csr-serial a.yaml
    assert_line --regexp 'performance +262144 +262144 +8 +rmat-16'
    run -0 "$PARAGRADE" cases --tier ell-serial a.yaml
    assert_line --regexp 'performance +1000000 +1000000 +8 +poisson'
    refute_output --partial 262144
    sed 's/^    yardstick: ell-simd  .*/&\n    sizes: [rmat-16:262144x8]/' a.yaml >b.yaml
    run -2 "$PARAGRADE" cases b.yaml
    assert_output --regexp "b.yaml:[0-9]+:.*'rmat-16:262144x8': col would have 262144 x 30013 elements.*31 GB"
}

@test "sparse: sizes are read with their structure" {
    run -2 "$PARAGRADE" check -q -a a.yaml --size 900x8 "$REPO/testcases/examples/spmm/ana"
    assert_output --partial "--size: '900x8' is not a size; write STRUCTURE:300x20x4000 for M x N x K"
    run -0 "$PARAGRADE" check -q -a serial.yaml --size poisson:900x8 --tier csr-serial \
        --reports part "$REPO/testcases/examples/spmm/ana"
    assert_output --partial 'poisson:900x8'
    refute_output --partial uniform-20
    run -0 "$PARAGRADE" report part/*
    assert_output --partial 'size poisson:900x8'
}

@test "sparse: a failed case is replayed and exported" {
    local number who
    number=$(rows ben csr-serial wrong-answer | head -n 1 | cut -d, -f3)
    run "$PARAGRADE" replay r ben.csr-serial "$number"
    assert_output --regexp 'gaps, 8 x 8 x 1 \(M x N x K\), nnz = 2, width = 2, [a-z]+ values'
    for who in ana.csr-serial ben.csr-serial dan.ell-serial; do
        run -0 "$PARAGRADE" replay r $who 3 --export "$BATS_TEST_TMPDIR/$who" # gaps, exact values
        run make -C "$BATS_TEST_TMPDIR/$who" run
        if [ $who = ana.csr-serial ]; then
            assert_output --partial '0 of 1 runs failed'
        else
            assert_output --partial '1 of 1 runs failed'
        fi
    done
    run -0 "$PARAGRADE" replay r ana.ell-serial 2 --export "$BATS_TEST_TMPDIR/empty" # no entries at all
    run -0 make -C "$BATS_TEST_TMPDIR/empty" run
}

@test "sparse: a sweep over the chunks of a schedule" {
    mkdir -p dyn/eve
    cp "$REPO/reference/spmm/csr_dynamic.c" dyn/eve
    sed -i 's/values: \[1, 16, 64, 256, 1024\]/values: [1, 64]/; s/threads: \[4\]/threads: [2]/' serial.yaml
    run -0 "$PARAGRADE" sweep -q -a serial.yaml -p quick --run-id sw dyn
    run -0 cut -d, -f2,3,8,9 reports/sw/sweep.csv
    assert_line 'chunk,CHUNK=64,rmat-64:2048x3,pass'
}

@test "sparse: verify recomputes everything" {
    run -0 "$PARAGRADE" verify r
}

@test "sparse: spread.csv is what samples.csv says, by size, padding, variance and threads" {
    # shellcheck disable=SC2016 # awk's own
    run awk -F, '
        FNR == 1 { delete at; for (i = 1; i <= NF; i++) { sub(/\r/, "", $i); at[$i] = i } next }
        { sub(/\r/, "") }
        FILENAME ~ /samples/ {
            for (f in at)
                if (f ~ /^(size|padding|nnz_variance|nnz|k)$/) {
                    key = $1 " " $2 " " $at["kernel"] " " $at["threads"] " " f " " $at[f]
                    n[key]++; sum[key] += $at["gops"]
                }
            next
        }
        { key = $1 " " $2 " " $at["kernel"] " " $at["threads"] " " $at["by"] " " $at["value"] }
        key in n {
            seen++
            mean = sum[key] / n[key]
            if ($at["samples"] != n[key] || $at["gops_mean"] > mean * 1.0001 || $at["gops_mean"] < mean / 1.0001)
                print "differs:", $0
            if (!($at["gops_min"] <= $at["gops_q1"] && $at["gops_q1"] <= $at["gops_median"] &&
                  $at["gops_median"] <= $at["gops_q3"] && $at["gops_q3"] <= $at["gops_max"]))
                print "order:", $0
        }
        END { for (key in n) wanted++; print (seen == wanted), (seen >= 60) }' reports/r/samples.csv reports/r/spread.csv
    assert_output '1 1'
    run grep -cE '^reference,(csr-serial,spmm_csr|ell-serial,spmm_ell),1,1,all,,' reports/r/spread.csv
    assert_output 2
}

@test "sparse: the picture of the roofline has room for long names of sizes" {
    # shellcheck disable=SC2016 # awk's own
    command -v gnuplot >/dev/null || skip "no gnuplot here"
    run -0 "$PARAGRADE" report --roofline long.svg r
    run awk '
        !width && match($0, /width="[0-9]+"/) { split(substr($0, RSTART), w, "\""); width = w[2] }
        /transform="translate\(/ { split($0, place, /[(,]/); left = place[2] }
        /GOP\/s \(.*\)<\/text>/ {
            sub(/<\/text>.*/, ""); sub(/.*>/, ""); seen++
            if (left + 7.2 * length($0) > width) print left, $0, width }
        END { print (seen > 3) }' long.svg
    assert_output 1
}

@test "sparse: every unit has its compile command" {
    run grep -c ',gcc -std=c11 -O2 -fPIC -shared -I{abi} -o {out} {src} -lm.$' reports/r/units.csv
    assert_output --regexp '^[0-9]+$'
    assert [ "$output" -ge 4 ]
}
