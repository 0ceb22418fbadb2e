#!/usr/bin/env bats
# shellcheck disable=SC2154
# The package that `make deb` makes: what is in it, and that nothing stays when it is removed.

setup_file() {
    load ../helpers/common
    command -v dpkg-shlibdeps >/dev/null || skip 'needs dpkg-dev'
    cd "$REPO" || exit 1
    export ROOT=$BATS_FILE_TMPDIR/root DEB
    DEB=$BATS_FILE_TMPDIR/p.deb
    cp "$(packaging/deb "${PARAGRADE_BUILD:-build}")" "$DEB"
    mkdir -p "$ROOT/var/lib/dpkg/info" "$ROOT/var/lib/dpkg/updates"
    touch "$ROOT/var/lib/dpkg/status"
}

setup() { load ../helpers/common; }

# dpkg for a directory in place of the system. Its other packages are not there.
dpkg_there() {
    dpkg --root="$ROOT" --log="$BATS_TEST_TMPDIR/log" --force-depends --force-not-root \
        --force-script-chrootless "$@"
}

files() { (cd "$ROOT" && find . -path ./var/lib/dpkg -prune -o ! -type d -print | sort); }

@test "deb: it depends on the compiler and the libraries, and MPI is only recommended" {
    run -0 dpkg-deb --field "$DEB" Depends
    for package in gcc libc6 libyaml-0-2 libhwloc15; do
        assert_output --partial "$package"
    done
    refute_output --partial openmpi
    run -0 dpkg-deb --field "$DEB" Recommends
    assert_output --partial openmpi-bin
    dpkg-deb --field "$DEB" Depends Recommends | sed 's/^[A-Z][a-z]*://' | tr , '\n' >"$BATS_TEST_TMPDIR/packages"
    run -0 bash -c "awk '{print \$1}' '$BATS_TEST_TMPDIR/packages' | sort | uniq -d"
    assert_output ''
    run -0 dpkg-deb --field "$DEB" Version
    assert_output "$("$PARAGRADE" --version | cut -d' ' -f2)"
}

@test "deb: installed, it works from there; purged, nothing stays" {
    [ "$(id -u)" = 0 ] || skip 'dpkg needs root'
    local before
    before=$(files)
    run -0 dpkg_there -i "$DEB"
    for file in usr/bin/paragrade etc/paragrade.yaml usr/share/man/man1/paragrade-grade.1.gz \
        usr/share/bash-completion/completions/paragrade usr/share/zsh/vendor-completions/_paragrade; do
        [ -e "$ROOT/$file" ] || fail "$file is not there"
    done
    run -0 env PARAGRADE_SITE="$ROOT/etc/paragrade.yaml" "$ROOT/usr/bin/paragrade" config
    assert_line "$ROOT/etc/paragrade.yaml: was read"
    run -0 "$ROOT/usr/bin/paragrade" cases "$ROOT/usr/share/paragrade/testcases/gemm-i32.yaml"
    run -0 dpkg_there -r paragrade
    assert [ -e "$ROOT/etc/paragrade.yaml" ]
    run -0 dpkg_there -P paragrade
    assert_equal "$(files)" "$before"
}
