"""Pictures of the running program, made by `make screenshots`; never by hand."""
