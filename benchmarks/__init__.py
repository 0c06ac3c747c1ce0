"""Speed and memory beside tmux, measured in one run: compare the ratios, the machine decides the rest."""
