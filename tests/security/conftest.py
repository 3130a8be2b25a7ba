"""The fixtures of the command line."""

from cli.conftest import _plain_environment, project, run, stdin

__all__ = ["_plain_environment", "project", "run", "stdin"]
