#include "supervise/stop.h"

volatile sig_atomic_t proctor_stop;
