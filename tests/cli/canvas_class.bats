#!/usr/bin/env bats
# A class of 30 from Canvas and back: import, grade, export; each row is compared with a count of its
# own.

load ../helpers/common
load ../helpers/class

# The gradebook as Canvas writes it, in another order than the downloads; points.txt: what each id
# gets. Students 1 to 4 are absent; of the others, every fifth one is wrong. Two have each other's
# names.
make_canvas() {
    local i key id name
    mkdir downloads
    printf '\xef\xbb\xbfStudent,ID,SIS Login ID,Section,Warm-up (4700),Product (4711),Final Score\r\n' >gradebook.csv
    printf ',,,,Manual Posting,,(read only)\r\n    Points Possible,,,,10.00,30.00,(read only)\r\n' >>gradebook.csv
    for i in {30..1}; do
        id=$((10000 + 17 * i))
        case $i in
        10) name='Kim, Lee' ;;
        11) name='Lee, Kim' ;;
        12) name="van der Berg, Zoë" ;;
        13) name="O'Neil, Ann-Mary" ;;
        *) name="Family$i, First$i" ;;
        esac
        [ $((i % 5)) != 0 ] || name="wrong$name" # what the fake proctor looks at
        printf '"%s",%s,u%s,"Tue, 10h",7.50,%s,80.1\r\n' "$name" "$id" $((700 - i)) "$([ $((i % 3)) != 0 ] || echo 3.00)" >>gradebook.csv
        echo "$id $([ "$i" -gt 4 ] && [ $((i % 5)) != 0 ] && echo 30.00 || echo 0.00)" >>points.txt
        key=$(tr -cd '[:alnum:]' <<<"$name" | tr '[:upper:]' '[:lower:]')
        [ "$i" -le 4 ] || for tier in naive simd openmp; do
            echo 'int x;' >"downloads/${key}_$([ "$i" != 20 ] || echo LATE_)${id}_$((90000 + i))_$tier.c"
        done
    done
    printf '"Student, Test",99999,8f3e,"Tue, 10h",,,\r\n' >>gradebook.csv
}

@test "Canvas: a class of 30 there and back, row by row" {
    make_class
    sed -i -E 's/(name: (naive|simd|openmp), )/\1points: {correct: 10}, /' a.yaml
    make_canvas
    run -0 "$PARAGRADE" import --to class --gradebook gradebook.csv downloads
    assert_line '4 of 30 students of the gradebook handed in nothing; in the roster, too'
    "$PARAGRADE" grade -q -a a.yaml --run-id r --roster class/roster.csv class >out 2>&1 || true
    run -0 "$PARAGRADE" export --canvas gradebook.csv --column Product -o filled.csv r
    assert_line --partial "30 grades written into the column 'Product (4711)'"
    # An independent count: the field of each row, and nothing else, is what points.txt says.
    run -0 python3 - <<'PYTHON'
import csv
points = dict(line.split() for line in open("points.txt"))
before, after = (list(csv.reader(open(f, encoding="utf-8", newline=""))) for f in ("gradebook.csv", "filled.csv"))
assert len(before) == len(after) == 34
for old, new in zip(before, after):
    assert new == old[:5] + [points.get(old[1], old[5])] + old[6:], (old, new)
PYTHON
    assert_equal "$(grep -c $'\r$' filled.csv)" 34
}
