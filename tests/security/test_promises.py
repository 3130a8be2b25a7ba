"""Each sentence of SECURITY.md that promises something, and the tests that hold it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]

#: How the promises begin, and what shows each: `file` or `file::test`.
SHOWN = {
    "`check`, `graph`, `rule`, `schema`, `server`": "security/test_imports.py cli/test_startup.py",
    "`check --fix`, `--add-noqa`": (
        "security/test_imports.py::test_the_command security/test_cache.py::TestWhatOptionsWrite"
    ),
    "`check --diff-base`": (
        "security/test_git.py::test_no_key_is_executed security/test_git.py::test_what_is_missing_is_not_fetched"
    ),
    "`check --executor`": "project/test_whole_runs.py",
    "`check --verify`, `tune`": "verify/test_manners.py",
    "the editor's": "lsp/test_verify.py",
    "No setting, hook, comment": "verify/test_manners.py lsp/test_verify.py",
    "`--verify` is no sandbox": "verify/test_manners.py",
    "Python itself looks": "security/test_imports.py::test_they_would_be_imported",
    "In a checkout that nobody trusts": (
        "security/test_imports.py::test_the_command security/test_imports.py::test_the_module_with_a_safe_path"
    ),
    "`--fix` and `--diff` run": "fixes/test_formatters.py::TestAbsent::test_it_is_not_wanted",
    "The program is one": "fixes/test_formatters.py::TestPrograms::test_nothing_of_the_project_is_run",
    "What these programs read": "fixes/test_formatters.py::TestPresent",
    "Rules of other distributions": "project/test_custom_rule.py security/test_special_files.py",
    "`--isolated` leaves": "project/test_custom_rule.py",
    "Only regular files": "security/test_special_files.py project/test_reading.py source/test_content.py",
    "A link to a device": "security/test_special_files.py::test_all_places_at_once source/test_discovery.py",
    "No file is read beyond": "source/test_content.py::test_no_more_than_asked_for security/test_special_files.py",
    "Links to folders": "source/test_discovery.py",
    "Of a file that": "security/test_links.py",
    "A cache is believed": "security/test_cache.py::TestForged security/test_cache.py::TestTheKey",
    "What the analysis": "security/test_growth.py::test_work_grows_with_size pipeline/test_limits.py",
    "What settings, requirements": "security/test_growth.py",
    "The settings of a project": "security/test_cache.py::TestSettings",
    "The command line may": "security/test_cache.py::TestSettings::test_the_command_line_may",
    "A fix replaces": "source/test_writing.py",
    "A run that is ended": "security/test_killed_fixes.py::test_at_any_moment",
    "One that was told": "security/test_killed_fixes.py source/test_writing.py::test_interrupt",
    "Names of files, code": "security/test_output.py security/test_printed.py",
    "It ends when": "lsp/test_deaths.py::test_the_death_of_a_client",
    "No message of": "lsp/test_malformed.py",
}


def promises() -> list[str]:
    """The rows of the table and the sentences below it, up to how something is reported."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    table = re.findall(r"(?m)^\| ((?!command|-).*)$", text)
    prose = text.partition("never\n")[2] or text[text.rindex("\n| ") :].partition("|\n\n")[2]
    prose = re.sub(r"(?m)^#.*$", "\n", prose.partition("## Reporting")[0])
    parts = [part.strip("- \n") for part in re.split(r"\n\s*\n|\n(?=- )", prose)]
    sentences = [sentence for part in parts if part for sentence in re.split(r"(?<=\.)\s+(?=[A-Z`])", part)]
    return [*table, *sentences]


def test_each_promise_is_held_by_tests() -> None:
    unheld = [promise for promise in promises() if not any(promise.startswith(begin) for begin in SHOWN)]
    assert not unheld
    assert [begin for begin in SHOWN if not any(promise.startswith(begin) for promise in promises())] == []


def test_the_tests_are_there() -> None:
    for tests in SHOWN.values():
        for test in tests.split():
            file, *names = test.split("::")
            found: list[ast.stmt] = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8")).body
            for name in names:
                (node,) = [part for part in found if getattr(part, "name", "") == name]
                found = getattr(node, "body", [])
