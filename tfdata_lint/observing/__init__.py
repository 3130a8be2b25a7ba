"""Observing the pipelines of the process that runs anyway: `tfdata_lint.observe`, `profile`, `keras.Observe`, magics.

It is made of what `verify.agent` observes with, which here neither stops the code nor changes what it does: whatever is
patched is put back, and nothing is consumed that the code does not consume.
"""
