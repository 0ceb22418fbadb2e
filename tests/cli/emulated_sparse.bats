#!/usr/bin/env bats
# Sparse products on a device that is emulated in the driver's own memory (fixtures/emulated/launch.c):
# four inputs, inputs without elements, and a yardstick on the device for each format. No GPU is needed.

load ../helpers/common

# A kernel of the host as one that gets a stream. FORMAT
on_device() {
    sed -e "s/void spmm_$1_f64(/void spmm_$1_f64_cuda(/" -e 's/double \*Y)/double *Y, void *stream)/' \
        -e 's/(void)N;/(void)N, (void)stream;/' "$REPO/reference/spmm/$1_serial.c"
}

setup_file() {
    load ../helpers/common
    load ../helpers/emulated
    cd "$BATS_FILE_TMPDIR" || exit 1
    mkdir -p emulated reference subs/ana subs/ben
    cp -r "${PARAGRADE%/bin/*}"/{bin,libexec,include} emulated/
    emulated_driver emulated/libexec/paragrade/driver-cuda
    cp "$REPO"/reference/spmm/*.[ch] reference/
    on_device csr >reference/csr_device.c
    on_device ell >reference/ell_device.c
    cp reference/*_device.c subs/ana
    sed 's/y\[j\] = 0;/;/' reference/csr_device.c >subs/ben/csr_device.c # adds to what Y held
    cat >a.yaml <<'YAML'
name: emulated
kernel: spmm_csr
type: f64
reference: reference
baseline: csr-serial
yardstick: csr-serial # a faster one would be compiled for seconds
correctness: {random: 10, max: 60}
performance: {sizes: [poisson:400x8, rmat-4:64x3], budget: 1ms, precision: 0.3, quiet_node: false}
submit: {retries: 0}
allow: '*'
tiers:
  - {name: csr-serial, sources: [csr_serial.c], compile: "gcc -O2 -fPIC -shared -I{abi} -o {out} {src}"}
  - name: csr-device
    kind: cuda
    sources: [csr_device.c]
    compile: gcc -O3 -fPIC -shared -I{abi} -o {out} {src}
    yardstick: csr-device
    attest: [kernels]
  - name: ell-device
    kernel: spmm_ell
    kind: cuda
    sources: [ell_device.c]
    compile: gcc -O3 -fPIC -shared -I{abi} -o {out} {src}
    yardstick: ell-device
    attest: [kernels]
YAML
    emulated/bin/paragrade grade -q -a a.yaml --run-id r -t csr-device -t ell-device subs >out.txt 2>err.txt || true
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

expect() { has_verdict reports/r "$@" out.txt err.txt; } # SUBMISSION TIER VERDICT

@test "emulated sparse device: both formats pass, also with inputs without elements" {
    local who tier
    for who in reference ana; do
        for tier in csr-device ell-device; do expect $who $tier pass; done
    done
    run -0 grep -c '^ana,ell-device,.*,empty,0,0,0,0,.*,pass,' reports/r/cases.csv
    assert_output 3
    expect ben csr-device wrong-answer
}

@test "emulated sparse device: speed-ups are over the baseline of the host, which computes another format" {
    run -0 grep -cE '^reference,ell-device,1,1,1,1,poisson:400x8,([^,]*,){5}[0-9]' reports/r/speedup.csv
    assert_output 1
    run -0 "$PARAGRADE" verify r
}

@test "emulated sparse device: the profile is of unmasked inputs, and has no kernel of the driver" {
    local who tier
    for who in reference ana; do
        for tier in csr-device ell-device; do
            run -0 grep "^$who,$tier," reports/r/units.csv
            assert_output --partial 'kernels: kernel: 1 launched'
        done
    done
}
