"""One file: what is found in it, and what is changed in it."""
