#!/usr/bin/env bats
# shellcheck disable=SC2154
# paragrade config, and what the settings of a site do to a run.

setup() {
    load ../helpers/common
    load ../helpers/class
    make_class
    export PARAGRADE_SITE=$PWD/site.yaml XDG_CONFIG_HOME=$PWD/own
    mkdir own
}

# A proctor that writes what surrounds it to the file seen, then is the fake one.
spy() {
    cat >spy <<SPY
#!/bin/bash
echo "\${TMPDIR:-} \$(nice) \${LOADEDMODULES:-}" >>'$PWD/seen'
exec '$PARAGRADE_PROCTOR' "\$@"
SPY
    chmod +x spy
    export PARAGRADE_PROCTOR=$PWD/spy
}

# Environment modules, as Environment Modules and Lmod define them. The module `absent` does not exist;
# `mute` does not either, but loading it does not fail, as in old versions.
fake_modules() {
    mkdir -p modules/init
    cat >modules/init/bash <<'MODULES'
module() {
    case $2 in
    absent) echo "module $2 is unknown"; return 1 ;;
    mute) return 0 ;;
    *) export LOADEDMODULES=${LOADEDMODULES:+$LOADEDMODULES:}$2 ;;
    esac
}
MODULES
    export MODULESHOME=$PWD/modules
}

@test "config: wrong arguments and wrong files" {
    run -2 "$PARAGRADE" config now
    run -2 "$PARAGRADE" config --nope
    echo 'partitoin: cpu' >site.yaml
    run -2 "$PARAGRADE" config
    assert_output "paragrade config: $PWD/site.yaml:1: unknown key 'partitoin'; did you mean 'partition'?"
    run -2 "$PARAGRADE" grade -q -a a.yaml --run-id r subs
    assert_output --partial 'site.yaml:1'
    assert [ ! -e reports ]
    rm site.yaml
    mkdir site.yaml
    run -2 "$PARAGRADE" config
    assert_output --partial 'site.yaml'
}

@test "config: each value with the file and line that it comes from" {
    run -0 "$PARAGRADE" config --tsv
    assert_line "$(printf 'nice\t0\tdefault')"
    assert_line "$PWD/site.yaml: does not exist"
    printf 'partition: cpu\nmodules: [gcc, mpi]\nnice: 5\n' >site.yaml
    printf '# mine\nnice: 7\n' >own/paragrade.yaml
    run -0 "$PARAGRADE" config --tsv
    assert_line "$(printf 'partition\tcpu\t%s:1' "$PWD/site.yaml")"
    assert_line "$(printf 'modules\tgcc mpi\t%s:2' "$PWD/site.yaml")"
    assert_line "$(printf 'nice\t7\t%s:2' "$PWD/own/paragrade.yaml")"
    assert_line "$PWD/own/paragrade.yaml: was read"
    run -0 bash -c "'$PARAGRADE' config --json | jq -r '.settings.nice.from, .settings.qos.value'"
    assert_line --index 0 "$PWD/own/paragrade.yaml:2"
    assert_line --index 1 null
}

@test "config: without XDG_CONFIG_HOME the user's file is in ~/.config" {
    mkdir -p home/.config
    echo 'qos: short' >home/.config/paragrade.yaml
    run -0 env -u XDG_CONFIG_HOME HOME="$PWD/home" "$PARAGRADE" config --tsv
    assert_line "$(printf 'qos\tshort\t%s:1' "$PWD/home/.config/paragrade.yaml")"
}

@test "config: proctors get modules, scratch directory and nice level; options replace them" {
    spy
    fake_modules
    printf 'modules: [gcc/13, mpi]\nscratch: %s/a b\nnice: 5\n' "$PWD" >site.yaml
    run -0 "$PARAGRADE" grade -q -a a.yaml --run-id r subs
    run -0 sort -u seen
    assert_output "$PWD/a b 5 gcc/13:mpi"
    rm seen
    run -0 "$PARAGRADE" grade -q -a a.yaml --run-id s --module llvm --scratch "$PWD/c" --nice 0 subs
    run -0 sort -u seen
    assert_output "$PWD/c 0 llvm"
}

@test "config: resume takes the options of the start, and the files as they are now" {
    spy
    fake_modules
    echo 'modules: wrong' >site.yaml
    FAKE_STATUS='alice.simd:75' run -1 "$PARAGRADE" grade -q -a a.yaml --run-id r --nice 3 subs
    echo 'modules: right' >site.yaml
    rm seen
    run -0 "$PARAGRADE" resume -q r
    run -0 cat seen
    assert_output "${TMPDIR:-} 3 right"
    run -0 "$PARAGRADE" verify r
}

@test "config: a module that cannot be loaded ends the run and is named, whatever 'module' returns" {
    fake_modules
    for name in absent mute; do
        run -1 "$PARAGRADE" grade -q -a a.yaml --run-id "r-$name" --module gcc --module "$name" subs
        assert_output --partial "the module $name cannot be loaded on"
    done
    unset MODULESHOME
    [ -e /usr/share/modules/init/bash ] || [ -e /usr/share/lmod/lmod/init/bash ] ||
        {
            run -1 "$PARAGRADE" grade -q -a a.yaml --run-id none --module gcc subs
            assert_output --partial "there is no command 'module'"
        }
}

@test "config: a command before the proctor that cannot be used ends the run and is named" {
    mkdir bin
    for status in 125 126; do
        printf '#!/bin/sh\necho "nice: it says why" >&2\nexit %s\n' $status >bin/nice
        chmod +x bin/nice
        PATH=$PWD/bin:$PATH run -1 "$PARAGRADE" grade -q -a a.yaml --run-id "r$status" --nice 5 subs
        assert_output --partial 'nice cannot be used: nice: it says why'
        assert_equal "$(find "reports/r$status/units" -name 'infra-*.json' | wc -l)" 0
    done
    # Without such a command, it is the proctor of one unit.
    FAKE_STATUS='alice.simd:125' run -1 "$PARAGRADE" grade -q -a a.yaml --run-id r subs
    refute_output --partial 'cannot be used'
}

@test "config: bad values of the options" {
    local option value
    while read -r option value; do
        run -2 "$PARAGRADE" grade -q -a a.yaml "$option" "$value" subs
        assert_output --partial "$option: "
    done <<'TABLE'
--nice 20
--nice -1
--nice x
--scratch here
--module --x
--partition a b
--account -x
--qos 
TABLE
}

@test "config: doctor looks at the machine as a proctor sees it" {
    fake_modules
    printf 'modules: absent\n' >site.yaml
    run -2 "$PARAGRADE" doctor
    assert_output --partial 'the module absent cannot be loaded on'
    run -0 "$PARAGRADE" doctor --as-is
    printf 'scratch: %s\n' "$PWD" >site.yaml
    run -0 "$PARAGRADE" doctor --tsv
    assert_line --regexp "^scratch	ok	$PWD"
}

@test "config: nightly and rehearse use the settings, and refuse a wrong file" {
    local command
    spy
    for command in rehearse nightly; do
        echo 'nice: many' >site.yaml
        run -2 "$PARAGRADE" "$command" -a a.yaml
        assert_output --partial 'site.yaml:1'
        assert [ ! -e seen ]
        assert [ ! -e reports/nightly ]
    done
    printf 'scratch: %s/scratch\nnice: 5\n' "$PWD" >site.yaml
    mkdir scratch
    echo 'int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * n; return s; }' >ref/naive.c
    "$PARAGRADE" nightly -a a.yaml
    run sort -u seen
    assert_output "$PWD/scratch 5 "
    rm seen
    run "$PARAGRADE" rehearse -q -a a.yaml --tier naive --mutants 1
    run sort -u seen
    assert_output "$PWD/scratch 5 "
}

@test "config: regrade asks the compilers that the modules give" {
    mkdir -p tools modules/init
    # shellcheck disable=SC2016
    echo 'module() { export PATH=$PATH:${MODULESHOME%/*}/tools LOADEDMODULES=$2; }' >modules/init/bash
    export MODULESHOME=$PWD/modules
    printf '#!/bin/sh\necho modular 7\n' >tools/modularcc
    chmod +x tools/modularcc
    sed -i 's/gcc -o/modularcc -o/' a.yaml
    echo 'modules: modular' >site.yaml
    run -0 "$PARAGRADE" grade -q -a a.yaml --run-id r subs
    sed -i 's/"compiler": ""/"compiler": "modular 7"/' reports/r/units/*/result.json
    run -0 "$PARAGRADE" regrade r
    assert_output --partial 'nothing has changed'
    echo 'echo modular 8' >tools/modularcc
    run -0 "$PARAGRADE" regrade -n r
    assert_output --partial 'compiler of naive: modular 8'
}

@test "config: the default assignment, where runs are, and the history; options win" {
    mkdir -p site/reports elsewhere
    cp a.yaml site/b.yaml
    sed -i "s|^reference: ref|reference: $PWD/ref|; s/^name: demo/name: ofsite/" site/b.yaml
    printf 'assignment: %s/site/b.yaml\nreports: %s/site/reports\nhistory: %s/site/h.sqlite\n' "$PWD" "$PWD" "$PWD" >site.yaml
    unset PARAGRADE_HISTORY
    run -0 "$PARAGRADE" grade -q --run-id r subs
    assert_line --index 0 'ofsite: r'
    assert [ -e site/reports/r/plan.json ]
    assert [ -s site/h.sqlite ]
    # Names of runs mean runs there, from anywhere.
    pushd elsewhere
    run -0 "$PARAGRADE" report r
    run -0 "$PARAGRADE" runs
    assert_line --regexp '^r  '
    run -0 "$PARAGRADE" status
    run -0 "$PARAGRADE" nightly --look
    popd
    run -0 "$PARAGRADE" grade -q -a a.yaml --reports mine --run-id r subs
    assert_line --index 0 'demo: r'
    assert [ -e mine/r/plan.json ]
    PARAGRADE_HISTORY=$PWD/own.sqlite run -0 "$PARAGRADE" grade -q -a a.yaml --run-id s subs
    assert [ -s own.sqlite ]
    run -0 bash -c "'$PARAGRADE' help nightly | tr -s ' \n' ' '"
    assert_output --partial 'PARAGRADE_HISTORY, else that of the configuration, else history.sqlite in the reports'
}

@test "config: paths that are not there, or cannot be used, are named with file, line and field" {
    local field path why
    mkdir there
    touch file
    while IFS='|' read -r field path why; do
        printf '# ours\n%s: %s\n' "$field" "$PWD/$path" >site.yaml
        run -2 --separate-stderr "$PARAGRADE" config --tsv
        assert_line "$(printf '%s\t%s\t%s:2' "$field" "$PWD/$path" "$PWD/site.yaml")"
        # shellcheck disable=SC2154
        assert_equal "$stderr" "paragrade config: $PWD/site.yaml:2: $field: $PWD/$why"
    done <<'TABLE'
assignment|none.yaml|none.yaml: No such file or directory
assignment|there|there: is a directory
reports|none|none: No such file or directory
reports|file|file: is no directory
history|none/h.sqlite|none: No such file or directory
history|there|there: is a directory
TABLE
    printf 'history: %s/h.sqlite\nreports: %s/there\nassignment: %s/a.yaml\n' "$PWD" "$PWD" "$PWD" >site.yaml
    run -0 "$PARAGRADE" config
    echo 'reports: here' >site.yaml
    run -2 "$PARAGRADE" config
    assert_output --partial 'site.yaml:1'
    # Not writable. Root may write anywhere but on a file system that is read-only.
    printf 'reports: /proc/sys\n' >site.yaml
    run -2 "$PARAGRADE" config
    assert_output --partial 'site.yaml:1: reports: /proc/sys: '
}
