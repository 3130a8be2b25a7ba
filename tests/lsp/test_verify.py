"""The lens and the command that execute code: only what the user has seen and agreed to, until they have enough."""

from __future__ import annotations

import asyncio
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import PIPELINE, Editor, identifier, until
from lsprotocol import types
from processes import PATIENCE
from test_notebooks import CELLS, Notebook

from tfdata_lint.verify.copies import prepared
from tfdata_lint.verify.model import Target
from tfdata_lint.verify.plan import Interpreter

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(not find_spec("tfdata_lint.verify"), reason="there is nothing to verify with"),
]

SCRIPT = """\
import pathlib, time
pathlib.Path("{ran}").touch()
time.sleep(3600)
import tensorflow as tf
for x in tf.data.Dataset.range(9).batch(3):
    print(x)
"""


def executed(editor: Editor, *arguments: str) -> asyncio.Future[Any]:
    params = types.ExecuteCommandParams("tfdata-lint.verify", list(arguments))
    return asyncio.ensure_future(editor.client.workspace_execute_command_async(params))


async def test_a_lens_above_the_pipelines_of_each_function(able: Editor, tmp_path: Path) -> None:
    text = f"{PIPELINE}\nmodel.fit(tf.data.Dataset.range(3))\n"
    file = able.open(tmp_path / "a.py", text)
    lenses = await able.client.text_document_code_lens_async(types.CodeLensParams(identifier(file)))
    found = [(lens.range.start.line, lens.command and lens.command.arguments) for lens in lenses or ()]
    assert found == [(3, (file, "load")), (11, (file, ""))]


async def test_no_lens_for_a_function_of_another_file(able: Editor, tmp_path: Path) -> None:
    """A pipeline that begins elsewhere has one at its first stage that stands here, or none."""
    (tmp_path / "files.py").write_text(
        "import tensorflow as tf\n\ndef examples(n):\n    return tf.data.Dataset.range(n).map(abs)\n"
    )
    text = "import tensorflow as tf\nfrom files import examples\n\n\ndef load(n):\n    return examples(n).batch(2)\n"
    file = able.open(tmp_path / "data.py", text)
    lenses = await able.client.text_document_code_lens_async(types.CodeLensParams(identifier(file)))
    found = [(lens.range.start.line, lens.command and lens.command.arguments) for lens in lenses or ()]
    assert found == [(5, (file, "load"))]
    file = able.open(
        tmp_path / "train.py", "import tensorflow as tf\nfrom files import examples\n\nmodel.fit(examples(3))\n"
    )
    assert not await able.client.text_document_code_lens_async(types.CodeLensParams(identifier(file)))


async def test_a_lens_in_each_cell_with_a_pipeline(able: Editor, tmp_path: Path) -> None:
    """The notebook is executed as a whole: a cell needs those before it."""
    notebook = Notebook(able, tmp_path / "a.ipynb")
    found = {}
    for cell in notebook.cells:
        lenses = await able.client.text_document_code_lens_async(types.CodeLensParams(identifier(cell)))
        found[cell] = [(lens.range.start.line, lens.command and lens.command.arguments) for lens in lenses or ()]
    first, second, third = notebook.cells
    assert found == {first: [(2, (notebook.uri, ""))], second: [(1, (notebook.uri, ""))], third: []}


async def test_nothing_is_executed_before_the_user_agrees(able: Editor, tmp_path: Path) -> None:
    able.questions.clear()
    able.answer = None
    text = SCRIPT.format(ran=tmp_path / "ran")
    # How its rows end is no difference.
    (tmp_path / "a.py").write_bytes(text.replace("\n", "\r\n").encode())
    await executed(able, able.open(tmp_path / "a.py", text), "")
    (question,) = able.questions
    assert question.startswith(f"Verify this pipeline? It executes the code.\nwill execute  {tmp_path / 'a.py'}\n")
    # As the command line says it here.
    what = Target("script", str(tmp_path / "a.py"))
    (files,) = (row for row in prepared(what, Interpreter("", "")).announcement() if row.startswith("files"))
    assert files in question.splitlines()
    assert not (tmp_path / "ran").exists()


async def test_what_is_not_saved_is_not_executed(able: Editor, tmp_path: Path) -> None:
    able.questions.clear()
    (tmp_path / "a.py").write_text("print('old')\n")
    await executed(able, able.open(tmp_path / "a.py", PIPELINE), "load")
    await executed(able, able.open("untitled:Untitled-9", PIPELINE), "load")
    first, second = [message.message for message in able.client.messages[-2:]]
    assert first.endswith("has to be saved before it can be executed: it is not the text that is shown")
    assert second == "Untitled-9 has to be saved before it can be executed"

    notebook = Notebook(able, tmp_path / "a.ipynb")
    cells = [{"cell_type": "code", "source": text, "metadata": {}} for text in CELLS]
    notebook.path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    notebook.edit(2, "model.fit(ds, epochs=2)")
    await executed(able, notebook.uri, "")
    assert able.client.messages[-1].message.endswith("it is not the text that is shown")
    assert not able.questions
    notebook.edit(2, CELLS[2])
    await executed(able, notebook.uri, "")
    assert len(able.questions) == 1


async def test_it_is_ended_when_the_user_has_enough(able: Editor, tmp_path: Path) -> None:
    able.answer = "Execute it"
    able.client.progress_reports.clear()
    text = SCRIPT.format(ran=tmp_path / "ran")
    (tmp_path / "a.py").write_text(text)
    running = executed(able, able.open(tmp_path / "a.py", text), "")
    await until(lambda: any(able.client.progress_reports.values()))
    (token,) = able.client.progress_reports
    able.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
    await asyncio.wait_for(running, PATIENCE)
    assert able.client.messages[-1].message == "Verify: stopped"
    begin, *_, end = able.client.progress_reports[token]
    assert (begin.kind, end.kind) == ("begin", "end")
