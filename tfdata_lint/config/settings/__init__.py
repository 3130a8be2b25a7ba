"""Settings: what they are, where they are found, which rules they switch on, and their page."""
