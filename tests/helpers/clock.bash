# clock.bash - attacks on the clock, graded beside the same kernels without the trick: then none may
# be faster by more than noise, unless it was caught. After common.bash.
#
# An attack is one file in tests/redteam/clock: /* expect: TIER... */, then its idea. Built with
# HONEST it is the kernel without the trick: that of clock.h, unless it has its own (OWN_HONEST).
# shellcheck shell=bash disable=SC2154

ATTACKS=$REPO/tests/redteam/clock

tiers_of() { sed -nE '1s|^/\* expect: ([a-z ]+) \*/|\1|p' "$ATTACKS/$1.c"; }

# The submission that an attack is compared with.
partner_of() { if grep -q OWN_HONEST "$ATTACKS/$1.c"; then echo "$1.honest"; else echo honest; fi; }

add() { # SUBMISSION FILE TIER [DEFINITION]
    mkdir -p "subs/$1"
    {
        [ -z "${4:-}" ] || echo "$4"
        cat "$2"
    } >"subs/$1/$3.c"
    cp "$ATTACKS"/../{attack,clock,lucky}.h paths.h "subs/$1/"
    copy_protocol "subs/$1"
}

# In this directory: the assignment, its reference, and some attacks beside their honest selves.
make_clock_class() { # ATTACK...
    local f name tier partner
    : >paths.h
    mkdir reference # no more than is needed
    cp "$REPO"/reference/gemm/{naive,simd}.c "$REPO"/reference/gemm/*.h reference/
    cp "$ATTACKS/../clock.yaml" .
    for name in "$@"; do
        f=$ATTACKS/$name.c
        for tier in $(tiers_of "$name"); do
            add "$name" "$f" "$tier"
            partner=$(partner_of "$name")
            add "$partner" "$f" "$tier" '#define HONEST'
            # Twice: that a node had a bad moment is nobody's gain.
            [ "$partner" != honest ] || add z_honest "$f" "$tier" '#define HONEST'
        done
    done
}

# Runs a `grade` of that class, which must get as far as the tables in reports/r.
clock_grade() { # COMMAND...
    "$@" >out.txt 2>err.txt 3>&- || true
    [ -s reports/r/speedup.csv ] || {
        cat out.txt err.txt >&2
        return 1
    }
}

verdict_of() { # SUBMISSION TIER
    verdicts reports/r | awk -v s="$1" -v t="$2" '$1 == s && $2 == t { print $3 }'
}

# The best speed-up of a submission, or the low end of its interval.
speedup_of() { # SUBMISSION TIER [COLUMN]
    tr -d '\r' <reports/r/speedup.csv | awk -F, -v s="$1" -v t="$2" -v wanted="${3:-speedup}" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        $column["submission"] == s && $column["tier"] == t && $column["speedup"] > best {
            best = $column["speedup"]
            value = $column[wanted]
        }
        END { print value + 0 }'
}

# The best speed-up without the trick, or the high end of its interval.
honest_speedup() { # PARTNER TIER COLUMN
    {
        speedup_of "$1" "$2" "$3"
        [ "$1" != honest ] || speedup_of z_honest "$2" "$3"
        # On a busy node the second worker may cost more than it gives: alone is honest, too.
        [ "$1" != honest ] || [ "$2" = short ] || speedup_of honest naive "$3"
    } | sort -g | tail -n 1
}

# No faster than its honest self, or found out. (The grader's own failure is neither.)
clock_attack() { # NAME TIER
    local verdict partner honest high got low
    partner=$(partner_of "$1")
    [ "$(verdict_of "$partner" "$2")" != skipped ] || skip "no MPI here"
    [ "$2" = naive ] || [ "$2" = short ] || [ "$(nproc)" -gt 1 ] || skip "one core only"
    assert_equal "$(verdict_of "$partner" "$2")" pass
    verdict=$(verdict_of "$1" "$2")
    if [ "$verdict" = pass ]; then
        honest=$(honest_speedup "$partner" "$2" speedup)
        high=$(honest_speedup "$partner" "$2" speedup_ci_high)
        got=$(speedup_of "$1" "$2") low=$(speedup_of "$1" "$2" speedup_ci_low)
        echo "$1 $2: speed-up $got, at least $low; honest $honest, at most $high"
        # On a restless node a time may be anything within its interval.
        awk -v a="$got" -v l="$low" -v h="$honest" -v m="$high" \
            'BEGIN { exit !(h > 0 && (a <= 1.15 * h || l <= m)) }'
    else
        echo "$1 $2: $verdict"
        [[ $verdict != infra-error && $verdict != missing && $verdict != build-error &&
            $verdict != skipped ]]
    fi
}
