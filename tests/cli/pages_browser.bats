#!/usr/bin/env bats
# The pages of a class in headless Chromium: what it shows, and that it asks for nothing.

load ../helpers/common

chromium_here() {
    for CHROMIUM in chromium-headless-shell chromium; do
        command -v "$CHROMIUM" >/dev/null && return
    done
    skip "no Chromium here: install chromium-headless-shell"
}

# Prints the page after its scripts have run; net.json has every request, log.txt the console.
chromium() { # light|dark ARGUMENT...
    local mode=$1 dark=1 # Chromium's numbers of the colour schemes
    [ "$mode" = light ] || dark=0
    shift
    timeout 120 "$CHROMIUM" --headless --no-sandbox --disable-gpu --user-data-dir="$BATS_TEST_TMPDIR/profile" \
        --allow-file-access-from-files --disable-background-networking --no-first-run \
        --blink-settings=preferredColorScheme=$dark --enable-logging=stderr --hide-scrollbars \
        --log-net-log="$BATS_TEST_TMPDIR/net.json" "$@" 2>"$BATS_TEST_TMPDIR/log.txt"
}

setup_file() {
    load ../helpers/common
    load ../helpers/prepared_class
    cd "$BATS_FILE_TMPDIR" || return 1
    command -v chromium-headless-shell chromium >/dev/null || return 0
    prepared_class 10
    prepared_profile reports/r x-anna.simd 'void tiled_product<float, 8, 128>(float const*, float const*, float*)'
    "$PARAGRADE" report --all fb r >/dev/null
    sed "s|PAGES|'x-anna/feedback.html', 'x-carlos/feedback.html', 'index.html'|" \
        "$REPO/tests/helpers/page_probe.html" >fb/probe.html
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    chromium_here
}

# Addresses that were asked for, other than files and data.
requests() { grep -oE '"url":"[^"]*"' "$BATS_TEST_TMPDIR/net.json" | grep -vE '"(file|data|chrome|about):' | sort -u; }
console() { grep -E 'CONSOLE' "$BATS_TEST_TMPDIR/log.txt"; }

@test "pages in a browser: contrast, sizes and landmarks, on a phone and a desk, light and dark" {
    local mode
    for mode in light dark; do
        run -0 chromium $mode --dump-dom --virtual-time-budget=5000 "file://$PWD/fb/probe.html"
        run -0 sed -n '/id="said"/,/<\/pre>/{s/.*id="said">//; s/<\/pre>.*//; p}' <<<"$output"
        assert_output "$(
            for page in 'index.html 1280' 'index.html 390' 'x-anna/feedback.html 1280' \
                'x-anna/feedback.html 390' 'x-carlos/feedback.html 1280' 'x-carlos/feedback.html 390'; do
                pictures=3
                [[ $page != index* ]] || pictures=2
                echo "$page: texts many, least contrast enough, faint marks 0, small texts in pictures 0," \
                    "wider than the screen by 0, unreachable 0, landmarks 4, pictures $pictures"
            done
        )"
    done
}

@test "pages in a browser: verdicts in many tiers, and similar sources, are seen without scrolling" {
    cat >fb/many.html <<'HTML'
<!doctype html><pre id="said"></pre><iframe src="index.html" width="1280" height="900"></iframe><script>
document.querySelector('iframe').onload = event => {
    const table = event.target.contentDocument.querySelector('#verdicts table');
    const [heads, ...rows] = table.rows;
    const add = (title, html, like) => {
        const th = heads.insertCell();
        th.outerHTML = `<th scope="col">${title}</th>`;
        for (const row of rows) {
            const td = row.insertCell();
            td.className = like;
            td.innerHTML = html;
        }
    };
    for (const tier of ['mpi', 'hybrid', 'cuda', 'openacc'])
        add(tier, '<span aria-hidden="true">\u2717</span> wrong-answer', 'bad');
    for (const title of ['late', 'flagged', 'undecided', 'decided', 'similar'])
        add(title, '12', 'number');
    const room = table.parentElement;
    document.getElementById('said').textContent = `cut ${room.scrollWidth - room.clientWidth}`;
};
</script>
HTML
    run -0 chromium light --dump-dom --virtual-time-budget=5000 --window-size=1400,1000 "file://$PWD/fb/many.html"
    assert_output --partial 'id="said">cut 0<'
}

@test "pages in a browser: the tables of the class are sorted, by its own script alone" {
    cat >fb/sort.html <<'HTML'
<!doctype html><pre id="said"></pre><iframe src="index.html"></iframe><script>
document.querySelector('iframe').onload = event => {
    const doc = event.target.contentDocument, said = [], table = doc.querySelector('#verdicts table');
    const column = title => [...table.tHead.rows[0].cells].findIndex(c => c.textContent === title);
    for (const title of ['points', 'points', 'submission']) {
        const at = column(title), heading = table.tHead.rows[0].cells[at];
        heading.querySelector('button').click();
        const texts = [...table.tBodies[0].rows].map(r => r.cells[at].textContent);
        said.push(title + ' ' + heading.ariaSort + ' ' + texts.join(' ').replace(/%[^ ]*/g, ''));
    }
    document.getElementById('said').textContent = said.join('\n');
};
</script>
HTML
    run -0 chromium light --dump-dom --virtual-time-budget=5000 "file://$PWD/fb/sort.html"
    rm fb/sort.html
    run -0 sed -n '/id="said"/,/<\/pre>/{s/.*id="said">//; s/<\/pre>.*//; p}' <<<"$output"
    assert_line --regexp '^points descending 38\.4 3.* -$'
    assert_line --regexp '^points ascending 3[0-9.]+ .* 38\.4 -$'
    assert_line --regexp '^submission ascending reference x- x-anna '
    run console
    assert_output ''
}

@test "pages in a browser: a picture of the screen, no request, nothing on the console" {
    run -0 chromium dark --screenshot="$BATS_TEST_TMPDIR/screen.png" --window-size=390,1200 \
        "file://$PWD/fb/x-anna/feedback.html"
    assert_equal "$(head -c 4 "$BATS_TEST_TMPDIR/screen.png" | tail -c 3)" PNG
    assert [ "$(stat -c %s "$BATS_TEST_TMPDIR/screen.png")" -gt 20000 ]
    run requests
    assert_output ''
    run console
    assert_output ''
    # a page that does both is noticed
    sed 's|default-src[^"]*||; s|<main|<img src="http://127.0.0.1:9/x.png"><script>nothing_here()</script><main|' \
        fb/x-anna/feedback.html >fb/bad.html
    run -0 chromium dark --dump-dom "file://$PWD/fb/bad.html"
    run -0 requests
    assert_output --partial '127.0.0.1:9/x.png'
    run -0 console
    assert_output --partial 'nothing_here'
}
