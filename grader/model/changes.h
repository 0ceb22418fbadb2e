/*
 * changes.h - when did times become longer or shorter for good? Pure.
 *
 * A series has the logarithm of one time for each night: of one tier and size on one node. NAN: it
 * was not measured that night. The rules:
 *
 *   1. Peers. What most nodes share is no change of one node. On each night, the median movement of
 *      the other nodes with the same processor is subtracted, if there are at least CHANGES_PEERS
 * of them.
 *   2. Level and noise of a series are the median and the spread (median absolute deviation) of up
 *      to CHANGES_MEMORY nights since its last change. There is no test before CHANGES_LEARN
 * nights.
 *   3. Each night's distance from the level, in units of the noise, is limited to CHANGES_CLIP, so
 *      that one bad night is never a change. The distances, less CHANGES_ALLOW, are added up; the
 *      sum never falls below zero (E. S. Page: Continuous inspection schemes, Biometrika 41, 1954).
 *      This is done upwards and downwards.
 *   4. When a sum exceeds the threshold, there was a change, on the night when the sum left zero.
 * If it is smaller than `least`, it is passed over. The level begins anew there.
 *
 * The threshold follows from the wanted number of false alarms and the number of series.
 * tests/simulate/nights.c shows that it is kept in worlds without changes.
 */
#ifndef MODEL_CHANGES_H
#define MODEL_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    CHANGES_LEARN = 12,  /* nights */
    CHANGES_MEMORY = 60, /* nights: slow drift is no change */
    CHANGES_PEERS = 3,   /* other nodes: then one that changes moves no median much */
};

/* Units of the noise. With a larger clip, two bad nights in succession would be a change. */
#define CHANGES_CLIP 4.0
#define CHANGES_ALLOW 1.5
/* No series is taken for quieter than this share: a week of equal times says little. */
#define CHANGES_NOISE_LEAST 0.01

/* Between two nights (indices) of one series. Shares: 0.1 is 10 % slower; negative is faster. */
struct change {
    size_t since; /* the first night that was different */
    size_t seen;  /* the night on which the sum exceeded the threshold */
    double share, low, high;
};

/* For so many series that are tested every night, and so many false alarms in 30 nights, all series
 * together. */
double changes_threshold(size_t series, double false_alarms);

/* All changes of a series, in their order; the caller frees *out. least: share, 0.03. */
size_t changes_find(const double *log_time, size_t nights, double threshold, double least,
                    struct change **out);

/* A series as it is today. */
struct changes_now {
    size_t nights; /* since its last change */
    double level;  /* NAN: it has none, because every night is suspected of a change */
    double noise;  /* spread around the level, a share; NAN: too few nights */
    double last;   /* the last night's distance from the level */
    size_t left;   /* nights until the first one that is tested; 0: they are tested */
};

/* False: it has no night at all. */
bool changes_now(const double *log_time, size_t nights, double threshold, double least,
                 struct changes_now *out);

/* The same time on several nodes with the same processor: row n has the nights of node n. Writes
 * the rows without what the other nodes share. If `common` is not NULL, it receives what all nodes
 * share (NAN: fewer than CHANGES_PEERS + 1 nodes were measured that night). */
void changes_remove_common(const double *const *row, size_t rows, size_t nights, double **out,
                           double *common);

/* What all series of one node share: for each night the median distance from their levels. NAN
 * where fewer than three were measured. */
void changes_shared(const double *const *row, size_t rows, size_t nights, double *out);

#endif
