"""Everything that touches processes: PTYs, signals, locks, the process table. The rest of the program does not."""
