/*
 * json_pool.h - one block of memory for all JSON values that a thread makes while it reads a file.
 *
 * A value is many small pieces: to take and release each on its own costs more than to read it.
 */
#ifndef BASE_JSON_POOL_H
#define BASE_JSON_POOL_H

/* From here on, what Jansson allocates in this thread lies in its pool. Pools do not nest. */
void json_pool_begin(void);
/* Free all of it. No value from the pool may be used or released afterwards. */
void json_pool_end(void);

#endif
