"""Profiles that exist already (`*.xplane.pb`): the guide's answers, on lines of the source. Nothing is run."""
