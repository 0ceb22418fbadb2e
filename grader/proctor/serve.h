/*
 * serve.h - the proctor of another node of a job (`proctor --serve`). It reads the name and the
 * port of the head node and a token from its standard input, connects, and does what the head asks
 * for until the connection ends (supervise/node_message.h).
 */
#ifndef PROCTOR_SERVE_H
#define PROCTOR_SERVE_H

/* The exit status of the program. */
int serve(void);

#endif
