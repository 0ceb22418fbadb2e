# emulated.bash - a GPU that is emulated in the driver's own memory (fixtures/emulated).

# emulated_driver PROGRAM [OPTION...]: build it, from the sources that all drivers have in the Makefile.
emulated_driver() {
    local driver=$REPO/grader/driver common
    read -ra common < <(sed -nE 's|^DRIVER_COMMON := .*,([^)]*)\)$|\1|p' "$REPO/Makefile")
    gcc -I"$REPO/grader" -O2 -fPIC -std=c11 -D_GNU_SOURCE -rdynamic -o "$1" "${@:2}" \
        "${common[@]/#/$driver/}" "$driver"/{initial,profile_rows,ranks_none}.c \
        "$REPO"/tests/fixtures/emulated/{launch,profile}.c -ldl -lffi -lseccomp -lm
}

# gpus_driver PROGRAM: the driver of the kind cuda, with CUDA emulated below it (fixtures/gpus).
gpus_driver() {
    local driver=$REPO/grader/driver common parts
    read -ra common < <(sed -nE 's|^DRIVER_COMMON := .*,([^)]*)\)$|\1|p' "$REPO/Makefile")
    read -ra parts < <(sed -nE 's|^GPU_PARTS := .*,([^)]*)\)$|\1|p' "$REPO/Makefile")
    gcc -I"$REPO/tests/fixtures/gpus" -I"$REPO/grader" -O2 -fPIC -std=c11 -D_GNU_SOURCE -rdynamic -o "$1" \
        "${common[@]/#/$driver/}" "${parts[@]/#/$driver/}" "$driver"/{launch_cuda,ranks_none,profile_none}.c \
        "$REPO/tests/fixtures/gpus/cudart.c" -ldl -lffi -lseccomp -lm
}

# ranks_driver PROGRAM: that of the kind mpi_cuda.
ranks_driver() {
    local driver=$REPO/grader/driver common parts ranks
    read -ra common < <(sed -nE 's|^DRIVER_COMMON := .*,([^)]*)\)$|\1|p' "$REPO/Makefile")
    read -ra parts < <(sed -nE 's|^GPU_PARTS := .*,([^)]*)\)$|\1|p' "$REPO/Makefile")
    read -ra ranks < <(sed -nE 's|^MPI_CUDA_RANKS := .*,([^)]*)\)$|\1|p' "$REPO/Makefile")
    mpicc -I"$REPO/tests/fixtures/gpus" -I"$REPO/grader" -O2 -fPIC -std=c11 -D_GNU_SOURCE -rdynamic -o "$1" \
        "${common[@]/#/$driver/}" "${parts[@]/#/$driver/}" "${ranks[@]/#/$driver/}" "$driver/profile_none.c" \
        "$REPO/tests/fixtures/gpus/cudart.c" -ldl -lffi -lseccomp -lm
}
