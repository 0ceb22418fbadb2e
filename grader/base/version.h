/* version.h - the one place that knows the version. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define PARAGRADE_VERSION "0.1.0"

#endif
