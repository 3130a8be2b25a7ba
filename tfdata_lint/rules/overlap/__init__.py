"""TFD1: overlap of reading, preparing and training, and parallelism."""
