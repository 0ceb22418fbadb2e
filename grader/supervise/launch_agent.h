/*
 * launch_agent.h - mpirun starts its daemon on another node through an agent, usually ssh. Ours
 * (driver/agent.c) asks the proctor of the head node, which asks the one of the other node.
 */
#ifndef SUPERVISE_LAUNCH_AGENT_H
#define SUPERVISE_LAUNCH_AGENT_H

#include "supervise/driver_process.h"

/* What a launch over several nodes needs: a socket for agents, and the file of hosts. For *d, which
 * is about to start. False with *o filled. Nothing is done for one node. */
bool launch_agent_open(struct driver_process *d, struct outcome *o);

/* An agent has connected: start there what it asks for. False with *o filled. */
bool launch_agent_answer(struct driver_process *d, struct outcome *o);

/* From now on no agent is heard. */
void launch_agent_close(struct driver_process *d);

#endif
