/* version.h - the one place that knows the version. */
#ifndef GRADER_VERSION_H
#define GRADER_VERSION_H

#define PARAGRADE_VERSION "0.1.0"

#endif
