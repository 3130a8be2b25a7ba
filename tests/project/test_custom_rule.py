"""The package in `examples/custom_rule/`, as it is when it is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "custom_rule"
PIPELINE = """\
import tensorflow as tf

ds = (
    tf.data.Dataset.range(1000)
    .batch(30, drop_remainder=True)  # thirty
    .prefetch(1)
)
for x in ds:
    tf.reduce_sum(x)
"""


def install(folder: Path, package: Path = EXAMPLE / "acme_rules", module: str = "acme_rules.uneven_batch") -> None:
    """What `pip install` writes: the package, and what it declares."""
    shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    metadata = folder / "acme_rules-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-rules\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[tfdata_lint.rules]\nacme = {module}\n")


def test_it_declares_what_is_installed_here() -> None:
    assert 'acme = "acme_rules.uneven_batch"' in (EXAMPLE / "pyproject.toml").read_text()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    install(tmp_path / "site")
    (tmp_path / "a.py").write_text(PIPELINE)
    return tmp_path / "site"


def run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])}
    return subprocess.run(command, cwd=site.parent, env=environment, capture_output=True, text=True, check=False)


def check(site: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return run(site, "-m", "tfdata_lint", "check", "--no-cache", "--select", "ACME001", *options)


def test_it_finds_and_fixes(site: Path) -> None:
    assert "a.py:5:6: advice ACME001 uneven-batch: batches of 30 elements" in check(site, "a.py").stdout
    fixed = check(site, "--fix", "--unsafe-fixes", "a.py")
    assert fixed.returncode == 0, fixed.stderr
    assert (site.parent / "a.py").read_text() == PIPELINE.replace("batch(30,", "batch(32,")


def test_its_readme_shows_what_it_finds(site: Path) -> None:
    shutil.copytree(EXAMPLE / "pipelines", site.parent / "pipelines")
    readme = (EXAMPLE / "README.md").read_text()
    printed = check(site, "--output-format", "concise", "pipelines/").stdout
    assert f"$ tfdata-lint check --select ACME001 --output-format concise pipelines/\n{printed}" in readme


def test_it_is_explained(site: Path) -> None:
    page = (EXAMPLE / "acme_rules" / "pages" / "ACME001-uneven-batch.md").read_text().strip()
    assert run(site, "-m", "tfdata_lint", "rule", "ACME001").stdout.strip() == page.partition("\n\n## Cases")[0]
    assert run(site, "-m", "tfdata_lint", "rule", "ACME001", "--cases").stdout.strip() == page


def test_sarif_has_the_rule(site: Path) -> None:
    log = json.loads(check(site, "--output-format", "sarif", "a.py").stdout)
    (ran,) = log["runs"]
    assert [result["ruleId"] for result in ran["results"]] == ["ACME001"]
    assert "ACME001" in {rule["id"] for rule in ran["tool"]["driver"]["rules"]}


def test_its_option(site: Path) -> None:
    settings = site.parent / "tfdata-lint.toml"
    settings.write_text("[rules.ACME001]\nmultiple = 15\n")
    assert "All clear" in check(site, "a.py").stdout
    for wrong, problem in (
        ('multiple = "x"', "a string instead of a number for `multiple` of ACME001"),
        ("multiple = 1.5", "a fraction for `multiple` of ACME001"),
        ("many = 1", "`many`, which is not an option of ACME001 uneven-batch; the options are multiple"),
    ):
        settings.write_text(f"[rules.uneven-batch]\n{wrong}\n")
        ended = check(site, "a.py")
        assert (ended.returncode, problem in ended.stderr) == (2, True), ended.stderr


def test_its_page_is_a_test(site: Path) -> None:
    ended = run(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(EXAMPLE / "tests"))
    assert ended.returncode == 0, ended.stdout


BROKEN = """
from tfdata_lint import Rule, guarded
from tfdata_lint.lint import foreign

{limit}

class Broken(Rule):
    code, name, group, summary = "ACME002", "broken", "advice", "Does not work"

    def check(self, graph, target):
        {body}
"""


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("raise KeyError('no')", "KeyError: 'no' (in acme_broken.broken, line 11)"),
        ("while True: pass", "TimeoutError: it took longer than 0.2 seconds (in acme_broken.broken, line 11)"),
        ("yield 3", "TypeError: it yields int instead of Finding (in acme_broken.broken)"),
        (
            "stage = graph.stages[0]\n        make = guarded(lambda graph, stage: no_such)\n"
            "        yield self.finding(stage.span, '', cost='', advice='', fix=make(graph, stage))",
            "NameError: name 'no_such' is not defined (in acme_broken.broken, line 12)",
        ),
        ("return None", "TypeError: 'NoneType' object is not iterable"),
        (
            "yield self.finding(graph.stages[0].span, None, cost='', advice='')",
            "TypeError: it yields a finding whose message is None",
        ),
        ("yield self.finding(3, '', cost='', advice='')", "TypeError: it yields a finding whose span is 3"),
    ],
)
def test_a_broken_rule_breaks_nothing(tmp_path: Path, body: str, problem: str) -> None:
    package = tmp_path / "acme_broken"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "broken.py").write_text(BROKEN.format(body=body, limit="foreign.TIME = 0.2" if "while" in body else ""))
    install(tmp_path / "site", package, "acme_broken.broken")
    (tmp_path / "a.py").write_text(PIPELINE)
    (tmp_path / "b.py").write_text("import tensorflow as tf\n\ntf.data.Dataset.range(3).batch(2)\n")
    ended = run(tmp_path / "site", "-m", "tfdata_lint", "check", "--no-cache", ".")
    assert ended.returncode == 2
    assert f"rule ACME002 broken failed on a.py: {problem}" in ended.stdout
    assert "advice: Correct this rule; TFDATA_LINT_DEBUG=1 adds the traceback" in ended.stdout
    assert "b.py:3:" in ended.stdout
    assert "TFD401" in ended.stdout


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        (
            'code, name, group, summary = "A1", "broken", "adwice", "x"',
            "Broken.group is 'adwice', not one of correctness",
        ),
        ('code, name, group, summary = 7, "broken", "advice", "x"', "Broken.code is 7"),
        ('code, name, group = "A1", "broken", "advice"', "Broken.summary is None"),
    ],
)
def test_a_rule_that_is_none(tmp_path: Path, attributes: str, problem: str) -> None:
    package = tmp_path / "acme_broken"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "broken.py").write_text(
        f"from tfdata_lint import Rule\n\nclass Broken(Rule):\n    {attributes}\n\n"
        "    def check(self, graph, target):\n        return iter(())\n"
    )
    install(tmp_path / "site", package, "acme_broken.broken")
    (tmp_path / "a.py").write_text(PIPELINE)
    ended = run(tmp_path / "site", "-m", "tfdata_lint", "check", "--no-cache", "a.py")
    assert ended.returncode == 2
    assert f"cannot load the rules of acme_broken.broken: TypeError: {problem}" in ended.stderr
