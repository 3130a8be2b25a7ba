"""`--verify`: run the user's own pipeline for a few seconds and observe it. Nothing else imports this package.

`plan` says what will be executed and by which interpreter, `runner` executes it in a separate process, `agent` is what
runs there, `observe` turns what it saw into the nouns of `model`.
"""
