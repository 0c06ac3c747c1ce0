"""What people see: the only importer of textual."""
