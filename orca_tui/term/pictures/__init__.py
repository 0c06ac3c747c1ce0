"""Pictures in a terminal by kitty's graphics protocol: commands in, cells and answers out. No I/O."""
