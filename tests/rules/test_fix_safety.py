"""Each rule with a safe fix asks all questions that concern it, and its page says so."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from types import ModuleType

from rows import each

from tfdata_lint.config.settings.model import Selection, Settings
from tfdata_lint.config.target import Target
from tfdata_lint.lint.linting import lint_source
from tfdata_lint.rules import all_rules
from tfdata_lint.testing.blocks import blocks

PAGES = Path(__file__).parents[2] / "rules"
#: What is asked where a fix changes when elements are made, and who is asked.
QUESTIONS = {
    "Calls": "conflict",
    "State": "conflict",
    "Python": "conflict",
    "Files": "meets_written",
    "Errors": "may_go_on",
}
#: Numbers of calls that are chosen by the runtime: these run ahead already.
AHEAD = {"TFD106", "TFD107"}
#: These change no dataset: they write a name, an argument of the profiler or of `tf.function` in another way, or fetch
#: the same elements inside of a `with`.
WRITING = {"TFD501", "TFD502", "TFD701", "TFD703", "TFD705", "TFD706"}
#: The first column of the tables of docs/fixes.md.
_FIXES = (PAGES.parent / "docs" / "fixes.md").read_text(encoding="utf-8")
_WHY = _FIXES.partition("## Why a fix is unsafe")[2].partition("\n## ")[0]
REASONS = re.findall(r"^\| (.+?) \|", _WHY, re.MULTILINE)
_SAFE = re.compile(r'"safe"|_why_unsafe\(graph, cache')


def text_of(code: str) -> str:
    return next(PAGES.glob(f"{code}-*.md")).read_text(encoding="utf-8")


def section(code: str) -> str:
    return text_of(code).partition("\n## Fix safety\n")[2].partition("\n## ")[0]


def asked(module: ModuleType, seen: set[str]) -> str:
    """The text of a rule's module, and of the modules of rules that it imports from."""
    if module.__name__ in seen:
        return ""
    seen.add(module.__name__)
    text = inspect.getsource(module)
    for name in re.findall(r"^from (tfdata_lint\.rules\.\w+\.\w+) import", text, re.MULTILINE):
        text += asked(sys.modules[name], seen)
    return text


MODULES = {rule.code: sys.modules[type(rule).__module__] for rule in all_rules() if not rule.code.startswith("TFD00")}
#: What rules share in a class of their own counts for each of them.
SHARED = {rule.code: sys.modules[type(rule).__mro__[1].__module__] for rule in all_rules()}
SAFE = sorted(
    code
    for code, module in MODULES.items()
    if _SAFE.search(inspect.getsource(module)) or _SAFE.search(inspect.getsource(SHARED[code]))
)


def test_these_rules_have_safe_fixes() -> None:
    reading = {"TFD101", "TFD102", "TFD103", "TFD104", "TFD106", "TFD107", "TFD304", "TFD305", "TFD702"}
    assert set(SAFE) == reading | WRITING


@each("code", sorted(set(SAFE) - WRITING))
def test_all_questions_are_asked(code: str) -> None:
    text = asked(MODULES[code], set())
    asked_for = {"conflict"} if code in AHEAD else set(QUESTIONS.values())
    assert {function for function in QUESTIONS.values() if f"{function}(" in text} >= asked_for


@each("code", SAFE)
def test_the_page_says_what_is_proven(code: str) -> None:
    assert re.search(r"\b[Ss]afe\b", section(code))
    if code not in WRITING:
        assert code == "TFD101" or "TFD101" in section(code)


@each("page", sorted(PAGES.glob("TFD*.md")))
def test_reasons_are_explained(page: Path) -> None:
    """Why a fix is unsafe is said in sentences of docs/fixes.md alone."""
    explained = re.compile("|".join(re.escape(row).replace("…", ".*") for row in REASONS))
    said = {reason for block in blocks(page) for reason in reasons_of(block.text, page.stem.partition("-")[0])}
    assert {reason for reason in said if not explained.fullmatch(reason)} == set()


def reasons_of(text: str, code: str) -> set[str]:
    settings = Settings(command_line=Selection(select=(code,)), target_tensorflow=Target((2, 4)))
    found = lint_source(text, settings=settings).diagnostics
    return {one.fix.reason for one in found if one.fix is not None and one.fix.applicability == "unsafe"}


def test_one_page_lists_the_questions() -> None:
    assert {*QUESTIONS, "Epochs"} == set(re.findall(r"^- \*\*(\w+)\.\*\*", section("TFD101"), re.MULTILINE))


@each("source", ["tf.data.Dataset.zip(replay.TrajectoryDataset(server))", "tf.data.TFRecordDataset(names)"])
def test_a_library_may_fill_what_it_gives(source: str) -> None:
    text = f"import replay\nimport tensorflow as tf\nds = {source}.batch(64).prefetch(50)\nfor x in ds:\n    step(x)\n"
    settings = Settings(command_line=Selection(select=("TFD107",)), target_tensorflow=Target((2, 10)))
    found = lint_source(text, settings=settings).diagnostics
    kinds = [one.fix.applicability for one in found if one.fix is not None]
    assert kinds == (["unsafe"] if "replay" in source else ["safe"]), found


@each("target", [{}, {"target_tensorflow": Target((2, 10), is_declared=True)}])
def test_a_name_may_be_too_new_where_nothing_tells_a_version(target: dict[str, Target]) -> None:
    text = "import tensorflow as tf\noptions = tf.data.Options()\noptions.experimental_deterministic = False\n"
    text += "ds = tf.data.Dataset.range(8).with_options(options)\nfor x in ds:\n    print(x)\n"
    settings = Settings(command_line=Selection(select=("TFD703",)), **target)
    [fix] = [one.fix for one in lint_source(text, settings=settings).diagnostics]
    assert fix is not None
    assert fix.applicability == ("safe" if target else "unsafe")
    assert fix.reason.startswith("" if target else "TensorFlow before 2.7 lacks the new name")
