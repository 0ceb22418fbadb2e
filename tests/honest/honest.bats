#!/usr/bin/env bats
# shellcheck disable=SC2154
# Honest programs that are unusual: whoever computes the product, however it is done, passes, and
# gets no remark. All of them are graded in one run, as a class is, with the fences and flags of the shipped assignment.
#
# A program is one file in programs/: /* tier: TIER */, then what is unusual about it. Those for GPUs
# are in ../gpu/honest.

load ../helpers/common

PROGRAMS=$BATS_TEST_DIRNAME/programs

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    local f name tier
    mkdir subs
    for f in "$PROGRAMS"/*; do
        name=$(basename "${f%.*}")
        tier=$(sed -nE '1s|^/\* tier: ([a-z]+) \*/$|\1|p' "$f")
        mkdir "subs/$name"
        cp "$f" "subs/$name/$tier.${f##*.}"
        cp "$BATS_TEST_DIRNAME/honest.h" "subs/$name/"
    done
    sed "s|@REFERENCE@|$REPO/reference/gemm|" "$BATS_TEST_DIRNAME/honest.yaml" >honest.yaml
    timeout 900 "$PARAGRADE" grade -q -j 2 -a honest.yaml --run-id r subs \
        >out.txt 2>err.txt 3>&- || true
    [ -s reports/r/units.csv ] || {
        cat out.txt err.txt >&2
        return 1
    }
    # Read once, for some hundred tests.
    verdicts reports/r >verdicts.txt
    jq -r 'select(.remarks != "") | .unit + ": " + .remarks' reports/r/units/*/result.json >remarks.txt
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

honest() { # NAME
    local file first tier got name=$1
    file=("$PROGRAMS/$name".*)
    read -r first <"${file[0]}"
    [[ $first =~ ^/\*\ tier:\ ([a-z]+)\ \*/$ ]] || fail "${file[0]}: its first line names no tier"
    tier=${BASH_REMATCH[1]}
    got=$(grep "^$name $tier " verdicts.txt)
    if [[ $got = *" skipped" ]]; then skip "no MPI here"; fi
    [[ $got = *" pass" ]] || fail "$name: $(grep "^$name,$tier," reports/r/units.csv)"
    if grep "^$name\.$tier: " remarks.txt; then fail "$name: a remark"; fi
}

# Bats reads the names of tests from the file itself: one line each.
@test "honest: algorithms" { honest algorithms; }
@test "honest: aligned_new" { honest aligned_new; }
@test "honest: alloca_rows" { honest alloca_rows; }
@test "honest: asserts_everything" { honest asserts_everything; }
@test "honest: atexit_frees" { honest atexit_frees; }
@test "honest: autotune_first_call" { honest autotune_first_call; }
@test "honest: backwards" { honest backwards; }
@test "honest: bad_alloc" { honest bad_alloc; }
@test "honest: big_stack" { honest big_stack; }
@test "honest: big_statics" { honest big_statics; }
@test "honest: blocks_sigint" { honest blocks_sigint; }
@test "honest: bsearch_blocks" { honest bsearch_blocks; }
@test "honest: c11_threads" { honest c11_threads; }
@test "honest: calloc_rows" { honest calloc_rows; }
@test "honest: calls_itself" { honest calls_itself; }
@test "honest: checks_itself" { honest checks_itself; }
@test "honest: chrono_autotune" { honest chrono_autotune; }
@test "honest: clock_gettime_print" { honest clock_gettime_print; }
@test "honest: complex_numbers" { honest complex_numbers; }
@test "honest: containers" { honest containers; }
@test "honest: contexts" { honest contexts; }
@test "honest: cpu_supports" { honest cpu_supports; }
@test "honest: cpuid_by_hand" { honest cpuid_by_hand; }
@test "honest: deep_recursion" { honest deep_recursion; }
@test "honest: doubles_in_halves" { honest doubles_in_halves; }
@test "honest: duffs_device" { honest duffs_device; }
@test "honest: exception_across_threads" { honest exception_across_threads; }
@test "honest: exceptions" { honest exceptions; }
@test "honest: fenv_rounding" { honest fenv_rounding; }
@test "honest: fortified" { honest fortified; }
@test "honest: function_pointers" { honest function_pointers; }
@test "honest: function_static_object" { honest function_static_object; }
@test "honest: gather_and_masks" { honest gather_and_masks; }
@test "honest: getenv_settings" { honest getenv_settings; }
@test "honest: hash_table_of_shapes" { honest hash_table_of_shapes; }
@test "honest: huge_pages_madvise" { honest huge_pages_madvise; }
@test "honest: hugetlb_or_not" { honest hugetlb_or_not; }
@test "honest: hybrid_funneled" { honest hybrid_funneled; }
@test "honest: hybrid_openmp" { honest hybrid_openmp; }
@test "honest: hybrid_pthreads" { honest hybrid_pthreads; }
@test "honest: hybrid_shared_window" { honest hybrid_shared_window; }
@test "honest: hybrid_tasks_overlap" { honest hybrid_tasks_overlap; }
@test "honest: inline_assembly" { honest inline_assembly; }
@test "honest: int128_sums" { honest int128_sums; }
@test "honest: iostreams" { honest iostreams; }
@test "honest: joining_thread" { honest joining_thread; }
@test "honest: large_workspace" { honest large_workspace; }
@test "honest: leaks_a_little" { honest leaks_a_little; }
@test "honest: malloc_tuned" { honest malloc_tuned; }
@test "honest: memoised_block_size" { honest memoised_block_size; }
@test "honest: memory_resources" { honest memory_resources; }
@test "honest: mlock_packing" { honest mlock_packing; }
@test "honest: mlockall_munlock" { honest mlockall_munlock; }
@test "honest: mmap_anonymous" { honest mmap_anonymous; }
@test "honest: morton_order" { honest morton_order; }
@test "honest: mpi_alltoall" { honest mpi_alltoall; }
@test "honest: mpi_asks_for_threads" { honest mpi_asks_for_threads; }
@test "honest: mpi_attributes" { honest mpi_attributes; }
@test "honest: mpi_cannon" { honest mpi_cannon; }
@test "honest: mpi_communicators" { honest mpi_communicators; }
@test "honest: mpi_error_handlers" { honest mpi_error_handlers; }
@test "honest: mpi_in_place" { honest mpi_in_place; }
@test "honest: mpi_info_and_memory" { honest mpi_info_and_memory; }
@test "honest: mpi_intercommunicator" { honest mpi_intercommunicator; }
@test "honest: mpi_isend_pipeline" { honest mpi_isend_pipeline; }
@test "honest: mpi_kept_communicator" { honest mpi_kept_communicator; }
@test "honest: mpi_large_messages" { honest mpi_large_messages; }
@test "honest: mpi_master_worker" { honest mpi_master_worker; }
@test "honest: mpi_neighbours" { honest mpi_neighbours; }
@test "honest: mpi_nonblocking_collectives" { honest mpi_nonblocking_collectives; }
@test "honest: mpi_pack_unpack" { honest mpi_pack_unpack; }
@test "honest: mpi_persistent" { honest mpi_persistent; }
@test "honest: mpi_predefined" { honest mpi_predefined; }
@test "honest: mpi_probe" { honest mpi_probe; }
@test "honest: mpi_ring" { honest mpi_ring; }
@test "honest: mpi_scatterv_gatherv" { honest mpi_scatterv_gatherv; }
@test "honest: mpi_send_modes" { honest mpi_send_modes; }
@test "honest: mpi_struct_types" { honest mpi_struct_types; }
@test "honest: mpi_subarrays" { honest mpi_subarrays; }
@test "honest: mpi_summa" { honest mpi_summa; }
@test "honest: mpi_user_operation" { honest mpi_user_operation; }
@test "honest: mpi_vectors" { honest mpi_vectors; }
@test "honest: mpi_waitsome" { honest mpi_waitsome; }
@test "honest: mpi_window_counter" { honest mpi_window_counter; }
@test "honest: mpi_window_dynamic" { honest mpi_window_dynamic; }
@test "honest: mpi_window_fence" { honest mpi_window_fence; }
@test "honest: mpi_window_lock" { honest mpi_window_lock; }
@test "honest: mpi_window_pscw" { honest mpi_window_pscw; }
@test "honest: mpi_window_shared" { honest mpi_window_shared; }
@test "honest: mpi_world" { honest mpi_world; }
@test "honest: mpi_wtime" { honest mpi_wtime; }
@test "honest: mprotect_guard" { honest mprotect_guard; }
@test "honest: mremap_growing" { honest mremap_growing; }
@test "honest: nested_functions" { honest nested_functions; }
@test "honest: nontemporal_stores" { honest nontemporal_stores; }
@test "honest: omp_allocators" { honest omp_allocators; }
@test "honest: omp_array_reduction" { honest omp_array_reduction; }
@test "honest: omp_atomics" { honest omp_atomics; }
@test "honest: omp_cancel" { honest omp_cancel; }
@test "honest: omp_collapse" { honest omp_collapse; }
@test "honest: omp_critical_and_locks" { honest omp_critical_and_locks; }
@test "honest: omp_depend" { honest omp_depend; }
@test "honest: omp_in_pthreads" { honest omp_in_pthreads; }
@test "honest: omp_in_std_thread" { honest omp_in_std_thread; }
@test "honest: omp_more_threads" { honest omp_more_threads; }
@test "honest: omp_four_busy" { honest omp_four_busy; }
@test "honest: omp_nested" { honest omp_nested; }
@test "honest: omp_ordered" { honest omp_ordered; }
@test "honest: omp_own_reduction" { honest omp_own_reduction; }
@test "honest: omp_places" { honest omp_places; }
@test "honest: omp_scan_and_masters" { honest omp_scan_and_masters; }
@test "honest: omp_schedules" { honest omp_schedules; }
@test "honest: omp_sections" { honest omp_sections; }
@test "honest: omp_sets_threads" { honest omp_sets_threads; }
@test "honest: omp_simd" { honest omp_simd; }
@test "honest: omp_target_host" { honest omp_target_host; }
@test "honest: omp_task_recursion" { honest omp_task_recursion; }
@test "honest: omp_task_reduction" { honest omp_task_reduction; }
@test "honest: omp_taskloop" { honest omp_taskloop; }
@test "honest: omp_tasks" { honest omp_tasks; }
@test "honest: omp_teams" { honest omp_teams; }
@test "honest: omp_threadprivate" { honest omp_threadprivate; }
@test "honest: omp_wtime_autotune" { honest omp_wtime_autotune; }
@test "honest: own_names" { honest own_names; }
@test "honest: own_names_in_cpp" { honest own_names_in_cpp; }
@test "honest: packed_panels" { honest packed_panels; }
@test "honest: pipeline" { honest pipeline; }
@test "honest: posix_memalign_page" { honest posix_memalign_page; }
@test "honest: prefetch_thread" { honest prefetch_thread; }
@test "honest: prints_carefully" { honest prints_carefully; }
@test "honest: prints_shapes" { honest prints_shapes; }
@test "honest: pthread_affinity" { honest pthread_affinity; }
@test "honest: pthread_attributes" { honest pthread_attributes; }
@test "honest: pthread_barriers" { honest pthread_barriers; }
@test "honest: pthread_big_stacks" { honest pthread_big_stacks; }
@test "honest: pthread_cancelled_helper" { honest pthread_cancelled_helper; }
@test "honest: pthread_each_call" { honest pthread_each_call; }
@test "honest: pthread_keys_and_once" { honest pthread_keys_and_once; }
@test "honest: pthread_nproc_pool" { honest pthread_nproc_pool; }
@test "honest: pthread_pool_condvar" { honest pthread_pool_condvar; }
@test "honest: pthread_pool_spin_then_wait" { honest pthread_pool_spin_then_wait; }
@test "honest: pthread_pool_spinning" { honest pthread_pool_spinning; }
@test "honest: pthread_rwlock_rows" { honest pthread_rwlock_rows; }
@test "honest: pthread_timed_wait" { honest pthread_timed_wait; }
@test "honest: qsort_order" { honest qsort_order; }
@test "honest: random_and_text" { honest random_and_text; }
@test "honest: rdtsc_timings" { honest rdtsc_timings; }
@test "honest: reads_c_back" { honest reads_c_back; }
@test "honest: realloc_growing" { honest realloc_growing; }
@test "honest: recursive_cache_oblivious" { honest recursive_cache_oblivious; }
@test "honest: rlimit_stack" { honest rlimit_stack; }
@test "honest: run_time_types" { honest run_time_types; }
@test "honest: sched_affinity_one_thread" { honest sched_affinity_one_thread; }
@test "honest: sched_getcpu_print" { honest sched_getcpu_print; }
@test "honest: setjmp_errors" { honest setjmp_errors; }
@test "honest: setjmp_in_cpp" { honest setjmp_in_cpp; }
@test "honest: shared_mutex" { honest shared_mutex; }
@test "honest: shared_pointers" { honest shared_pointers; }
@test "honest: signal_handler" { honest signal_handler; }
@test "honest: sigsetjmp_errors" { honest sigsetjmp_errors; }
@test "honest: skips_zeros" { honest skips_zeros; }
@test "honest: sleeps_once" { honest sleeps_once; }
@test "honest: slow_first_call" { honest slow_first_call; }
@test "honest: static_buffers" { honest static_buffers; }
@test "honest: static_objects" { honest static_objects; }
@test "honest: std_async" { honest std_async; }
@test "honest: std_function" { honest std_function; }
@test "honest: std_pool" { honest std_pool; }
@test "honest: std_promise" { honest std_promise; }
@test "honest: std_thread" { honest std_thread; }
@test "honest: std_waits_for" { honest std_waits_for; }
@test "honest: strassen" { honest strassen; }
@test "honest: sysconf_caches" { honest sysconf_caches; }
@test "honest: target_clones" { honest target_clones; }
@test "honest: target_clones_huge_pages" { honest target_clones_huge_pages; }
@test "honest: templates" { honest templates; }
@test "honest: thread_local_objects" { honest thread_local_objects; }
@test "honest: thread_local_rows" { honest thread_local_rows; }
@test "honest: ticket_lock" { honest ticket_lock; }
@test "honest: trampolines" { honest trampolines; }
@test "honest: variable_length_array" { honest variable_length_array; }
@test "honest: vector_extensions" { honest vector_extensions; }
@test "honest: vectors_of_vectors" { honest vectors_of_vectors; }
@test "honest: weak_and_alias" { honest weak_and_alias; }
@test "honest: work_stealing" { honest work_stealing; }

@test "honest: every program has its test" {
    local f
    for f in "$PROGRAMS"/*; do
        f=$(basename "${f%.*}")
        grep -q "^@test \"honest: $f\" { honest $f; }" "$BATS_TEST_FILENAME" || fail "no test for $f"
    done
}
