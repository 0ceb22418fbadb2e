/*
 * core_domains.h - which cores of a node slow each other down.
 *
 * Two cores are in one domain if they share a cache, or if they belong to one NUMA node and so
 * share its memory bandwidth. A domain is the larger one of the two: a NUMA node, even if it has
 * several last-level caches, or the NUMA nodes that share one cache. On most machines it is a
 * socket. The whole node is one domain if the system does not say more about it.
 */
#ifndef MEASURE_CORE_DOMAINS_H
#define MEASURE_CORE_DOMAINS_H

#include "supervise/cores.h"

/* The domains that have some of these cores, each as its first core, in ascending order. The first
 * core need not be one of these. So all processes on a node have the same names for its domains. */
void core_domains(const struct cores *cores, struct cores *first);

#endif
