"""How rules are found: by the index of ours, and other distributions may bring their own."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tfdata_lint.rules
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.settings.selection import active_rules
from tfdata_lint.config.settings.values import selector_problem
from tfdata_lint.lint.linting import lint_source
from tfdata_lint.rules import RuleError, all_rules, entries, page, rule
from tfdata_lint.rules.base import Rule

FOREIGN = """
from tfdata_lint.rules.base import Rule

class HouseStyle(Rule):
    code = "{code}"
    name = "house-style"
    group = "pedantic"
    summary = "Ours"

    def check(self, graph, target):
        return iter(())
"""


@pytest.fixture
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed distribution with an entry point to `foreign_rules`, whose module a test writes."""
    metadata = tmp_path / "foreign-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[tfdata_lint.rules]\nhouse = foreign_rules\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    _forget()
    yield tmp_path
    sys.modules.pop("foreign_rules", None)
    _forget()


def _forget() -> None:
    entries.cache_clear()
    active_rules.cache_clear()


def test_codes_and_names_are_unique_and_well_formed() -> None:
    rules = all_rules()
    assert [r.code for r in rules] == sorted({r.code for r in rules})
    assert len({r.name for r in rules}) == len(rules)
    for found in rules:
        assert re.fullmatch(r"TFD\d{3}", found.code)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", found.name)
        assert found.summary
        assert not found.summary.endswith(".")


def test_a_rule_stands_in_the_file_of_its_name() -> None:
    for found in all_rules():
        module = type(found).__module__.removeprefix("tfdata_lint.rules.")
        if found.group == "meta":
            assert module == "meta"
            continue
        assert module.removesuffix(".rule").split(".")[-1] == found.name.replace("-", "_")
        assert type(found).__name__ == "".join(word.capitalize() for word in found.name.split("-"))


def test_options_stand_on_the_page() -> None:
    for found in all_rules():
        for option in found.options:
            assert f"- `{option.name}` (default: `{option.default}`): {option.text}" in (page(found) or "")


def test_an_option_of_a_rule() -> None:
    code = """
import tensorflow as tf

def decode(name):
    return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(name), channels=3), [100, 100])

def train(model, names):
    ds = tf.data.Dataset.from_tensor_slices(names).map(decode, num_parallel_calls=8)
    model.fit(ds.shuffle(1000).batch(8))
"""
    for megabytes, found in ((100, True), (1000, False)):
        settings = Settings(select=["TFD308"], rules={"shuffle-after-heavy-map": {"largest-buffer": megabytes}})
        assert bool(lint_source(code, "a.py", settings).diagnostics) is found


def test_lookup_by_code_or_name() -> None:
    assert rule("TFD001") is rule("unused-suppression") is rule("tfd001")
    assert rule("TFD0") is None


def test_a_page_is_found_in_the_package_or_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "tfdata_lint"
    monkeypatch.setattr(tfdata_lint.rules, "__file__", str(package / "rules" / "__init__.py"))
    known = rule("TFD001")
    assert known
    assert page(known) is None
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "TFD001-unused-suppression.md").write_text("repository")
    assert page(known) == "repository"
    (package / "pages").mkdir(parents=True)
    (package / "pages" / "TFD001-unused-suppression.md").write_text("package")
    assert page(known) == "package"


def test_rules_of_other_distributions(distribution: Path) -> None:
    (distribution / "foreign_rules.py").write_text(FOREIGN.format(code="ACME999"))
    found = rule("ACME999")
    assert isinstance(found, Rule)
    assert found.name == "house-style"


def test_a_preview_is_for_those_who_ask_for_it(distribution: Path) -> None:
    preview = FOREIGN.format(code="ACME001").replace('group = "pedantic"', 'group = "performance"; status = "preview"')
    (distribution / "foreign_rules.py").write_text(preview)
    for selectors in (("ACME001",), ("house-style",), ("preview",), ("ALL",)):
        assert "ACME001" in {rule.code for rule in active_rules(Settings(select=selectors))}
    for selectors in (("performance",), ("TFD",)):
        assert "ACME001" not in {rule.code for rule in active_rules(Settings(select=selectors))}
    assert "ACME001" not in {rule.code for rule in active_rules(Settings())}


def test_the_beginning_of_pedantic_codes_alone_selects_nothing(distribution: Path) -> None:
    (distribution / "foreign_rules.py").write_text(FOREIGN.format(code="ACME999"))
    assert selector_problem("ACME") == "unknown rule `ACME`; did you mean `ACME999`?"
    assert not selector_problem("ACME999")
    assert not selector_problem("house-style")


def test_a_rule_from_outside_is_asked_where_something_calls_for_it(distribution: Path) -> None:
    failing = FOREIGN.format(code="ACME999").replace('"pedantic"', '"advice"').replace("return iter(())", "1 / 0")
    (distribution / "foreign_rules.py").write_text(failing.replace("summary =", 'triggers = ("cache",); summary ='))
    text = "import tensorflow as tf\nfor x in tf.data.Dataset.range(9).prefetch(1){}:\n    print(x)\n"
    for called, failures in (("", []), (".cache()", ["TFD002"])):
        assert [d.code for d in lint_source(text.format(called)).diagnostics if d.code == "TFD002"] == failures


def test_an_entry_point_to_one_rule(distribution: Path) -> None:
    entry_points = distribution / "foreign-1.0.dist-info" / "entry_points.txt"
    entry_points.write_text("[tfdata_lint.rules]\nhouse = foreign_rules:HouseStyle\n")
    (distribution / "foreign_rules.py").write_text(FOREIGN.format(code="ACME999"))
    assert rule("ACME999")


def test_rules_that_cannot_be_loaded_are_named(distribution: Path) -> None:
    (distribution / "foreign_rules.py").write_text("import nowhere_to_be_found")
    with pytest.raises(RuleError, match="cannot load the rules of foreign_rules: ModuleNotFoundError: "):
        all_rules()


def test_a_code_that_is_taken(distribution: Path) -> None:
    (distribution / "foreign_rules.py").write_text(FOREIGN.format(code="TFD001"))
    with pytest.raises(RuleError, match=r"two rules have the code TFD001: .* and foreign_rules\.HouseStyle"):
        all_rules()
