"""What is printed: a module for each format of findings, with `render`."""
