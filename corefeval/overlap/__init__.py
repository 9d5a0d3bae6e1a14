"""The overlap table of a key and a response, and what makes one."""
