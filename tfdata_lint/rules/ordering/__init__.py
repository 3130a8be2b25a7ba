"""TFD3: the order of transformations, what is cached and what is held in memory."""
