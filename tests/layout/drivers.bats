#!/usr/bin/env bats
# How the drivers are linked. They load the student's library so that it finds its own dependencies
# first (library.c): a variable that the linker has copied into the driver would be there twice.

load ../helpers/common

copied() { # PROGRAM: the variables that the linker has copied into it
    readelf -rW "$1" | awk '$3 == "R_X86_64_COPY" { print $5 }'
}

@test "no driver has a copy of another library's variable" {
    local driver
    cd "$REPO/${PARAGRADE_BUILD:-build}/libexec/paragrade" || exit 1
    for driver in driver-*; do
        copied "$driver" | sed "s|^|$driver: |" >>"$BATS_TEST_TMPDIR/copied"
    done
    run cat "$BATS_TEST_TMPDIR/copied" # not there when no driver was built
    assert_success
    assert_output ''
}

@test "the check for copies finds one" {
    cd "$BATS_TEST_TMPDIR" || exit 1
    printf '#include <stdio.h>\nint main(void) { return fputs("", stderr); }\n' >p.c
    "${CC:-gcc}" -fPIE -pie -O2 -o p p.c
    run copied p
    assert_output --partial 'stderr@'
}
