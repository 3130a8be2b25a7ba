"""Whether a path leads out of a folder, as by `..` or a symbolic link in it."""

from __future__ import annotations

import os


def is_inside(path: str, folder: str) -> bool:
    """Does a path end in a folder, whatever is linked on the way? Nothing need be there."""
    path, folder = (os.path.normcase(os.path.realpath(one)) for one in (path, folder))
    return path == folder or path.startswith(os.path.join(folder, ""))


def checkout_of(folder: str) -> str:
    """The top of what was checked out with a folder, if that can be told; else the folder itself."""
    here = folder = os.path.realpath(folder)
    while not os.path.lexists(os.path.join(here, ".git")):
        above = os.path.dirname(here)
        if above == here:
            return folder
        here = above
    return here


def leads_out(path: str) -> bool:
    """Does a path go through the checkout of the working directory and leave it? A stranger may have made the link."""
    top = checkout_of(os.getcwd())
    return not is_inside(path, top) and goes_through(path, top)


def goes_through(path: str, folder: str) -> bool:
    """Does a path, or a folder on the way to it, end in a folder?"""
    here = os.path.abspath(path)
    while not is_inside(here, folder):
        above = os.path.dirname(here)
        if above == here:
            return False
        here = above
    return True
