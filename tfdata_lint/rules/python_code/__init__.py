"""Rules about Python that runs inside a pipeline, or only seems to."""
