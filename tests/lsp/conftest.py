"""Editors for the tests, where the extra `lsp` and pytest-lsp are installed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib.util import find_spec

if find_spec("pytest_lsp") is None:
    collect_ignore_glob = ["test_*.py"]
else:
    import pytest_asyncio
    from lsp_editor import Editor

    @pytest_asyncio.fixture(loop_scope="session")
    async def editor() -> AsyncIterator[Editor]:
        """An editor whose server is still to be started, for what must have one of its own."""
        one = Editor()
        yield one
        await one.stop()

    @pytest_asyncio.fixture(scope="session", loop_scope="session")
    async def plain() -> AsyncIterator[Editor]:
        """An editor that can do as good as nothing: it is told of findings."""
        one = Editor()
        await one.start()
        yield one
        await one.stop()

    @pytest_asyncio.fixture(scope="session", loop_scope="session")
    async def able() -> AsyncIterator[Editor]:
        """An editor that can do what Visual Studio Code can."""
        one = Editor()
        await one.start(like="visual-studio-code", options={"inlayHints": True})
        yield one
        await one.stop()
