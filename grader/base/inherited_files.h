/*
 * inherited_files.h - what a shell had open when it started the grader: the file of a lock, a list
 * that a loop reads, a job server's pipe. Students' code would inherit it, with the right to write,
 * and no sandbox takes away what is open.
 */
#ifndef BASE_INHERITED_FILES_H
#define BASE_INHERITED_FILES_H

/* Let no program that is started from here inherit what this one did, but the three standard
 * streams. To be called before anything is opened. */
void inherited_files_keep(void);

#endif
