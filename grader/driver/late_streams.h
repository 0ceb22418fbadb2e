/*
 * late_streams.h - in a trial on a GPU, work begins late: that in the stream which the kernel gets,
 * or that in all streams of the student's. A call whose streams do not wait for each other gives
 * another result then; one whose streams do is as right as before. PG_ENV_LATE says which.
 */
#ifndef DRIVER_LATE_STREAMS_H
#define DRIVER_LATE_STREAMS_H

#include <cuda_runtime_api.h>

/* Before the library is loaded. It does nothing where PG_ENV_LATE is not set. */
void late_streams_begin(void);

/* A call with this stream follows. */
void late_streams_before_call(cudaStream_t given);

#endif
