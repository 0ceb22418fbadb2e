# attacks.bash - sources that make several attacks of tests/redteam, one after the other.
# shellcheck shell=bash

ATTACKS=$REPO/tests/redteam/attacks

# An attack as a source beside others: its kernel has a name of its own.
add_attack() { # SUBMISSION TIER KERNEL NAME
    local file
    for file in "$ATTACKS/$4.c" "$ATTACKS/../clock/$4.c" "$ATTACKS/../nodes/$4.c"; do
        [ ! -e "$file" ] || break
    done
    {
        printf '#define %s %s_kernel\n' "$3" "$4"
        cat "$file"
    } >"$1/$2/$4.c"
}

# A source that makes one attack after the other. All calls get the same arguments.
attack_with() { # SUBMISSION TIER LAST-LINE ATTACK...
    local dir=$1 tier=$2 last=$3 kernel=gemm_i32 name more='' pass=''
    shift 3
    case $tier in mpi | hybrid) kernel=gemm_i32_mpi more=', MPI_Comm comm' pass=', comm' ;; esac
    mkdir -p "$dir/$tier"
    for name in "$@"; do add_attack "$dir" "$tier" $kernel "$name"; done
    {
        printf '#include "gemm.h"\n'
        printf "void %s_kernel(int, int, int, const int32_t *, const int32_t *, int32_t *${more% comm});\n" "$@"
        printf 'void %s(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C%s)\n{\n' \
            $kernel "$more"
        printf "    %s_kernel(M, N, K, A, B, C$pass);\n" "$@"
        if [ -n "$more" ]; then
            printf '    int rank;\n    MPI_Comm_rank(comm, &rank);\n    if (rank != 0)\n        return;\n'
        fi
        printf '    %s\n}\n' "$last"
    } >"$dir/$tier.c"
}

# What attacks share, and whom they attack.
attack_headers() { # SUBMISSION STEPS
    cat >"$1/paths.h" <<PATHS
#define RUN "$PWD/reports/r"
#define SECRET "$PWD/secret/home/roster.csv"
#define SECRET_DIR "$PWD/secret/home"
#define REFERENCE "$REPO/reference/gemm"
#define REFERENCE_NAIVE "$REPO/reference/gemm/naive.c"
#define NEIGHBOUR $(<neighbour)
#define SERVICE $(<service)
#define STEPS "$2"
#define FRONT_END $$
#define PARENT_ENVIRON "/proc/$$/environ"
PATHS
    cp "$ATTACKS"/../{attack,calls,clock,lucky}.h "$1/"
    copy_protocol "$1"
}
