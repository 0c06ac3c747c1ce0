"""The operating system: PTYs, signals, the process table. Nothing else touches them."""
