"""Writes the pages of the site into a folder, as plain Markdown that any builder may read.

    python website/write.py [FOLDER]        # else into website/written/

Each page keeps the place that it has in the repository, so that links hold here and there; what is only on the site
stands in `pages/`. Links to files that are no pages lead to the repository, if it has an address
(`tfdata_lint.REPOSITORY`), and else are only words. Beside `pages/`, the folder gets `navigation.json`, and
`mkdocs.yml` for Zensical, which adds what is written here to `website/mkdocs.yml`. Exits with a message about a link
that leads nowhere.
"""

from __future__ import annotations

import base64
import json
import os
import posixpath
import re
import shutil
import sys
import zlib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tfdata_lint import DOCUMENTATION, REPOSITORY  # noqa: E402
from tfdata_lint.rules import all_rules, explanation  # noqa: E402

PATTERNS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs/*.md", "docs/*.png", "docs/*.svg",
            "docs/*.schema.json", "rules/*.md")  # fmt: skip
#: As `npm run build` leaves it, or elsewhere.
PLAYGROUND = Path(os.environ.get("TFDATA_LINT_PLAYGROUND", ROOT / "website" / "playground" / "dist"))
#: By the first digit of the code.
CHAPTERS = {
    "0": "About the run",
    "1": "Overlap and parallelism",
    "2": "Python in pipelines",
    "3": "Order, caches, memory",
    "4": "Wrong data",
    "5": "Profiling",
    "6": "On the device",
    "7": "Upgrades",
    "8": "Distribution",
}
_RULES = "docs/rules.md"
#: Titles with a page, or with what is below them.
NAVIGATION: dict[str, Any] = {
    "tfdata-lint": "README.md",
    "Tutorial": "docs/tutorial.md",
    "With Keras": "docs/keras.md",
    "Playground": "playground.md",
    "Rules": {"": _RULES},
    "Guide": {
        "Usage": "docs/usage.md",
        "Questions": "docs/faq.md",
        "Fixes": "docs/fixes.md",
        "Settings": "docs/settings.md",
        "Old code": "docs/baseline.md",
        "Hooks and CI": "docs/ci.md",
        "Editors": "docs/editors.md",
        "Large trees": "docs/scale.md",
        "JSON": "docs/json.md",
        "From Python": "api.md",
    },
    "Verify": {
        "Proof by a run": "docs/verify.md",
        "In your own run": "docs/observe.md",
        "From a profile": "docs/profile.md",
        "What is remembered": "docs/evidence.md",
        "Tune": "docs/tune.md",
        "JSON": "docs/verify-json.md",
        "How well it judges": "docs/verify-judgement.md",
    },
    "How it works": {
        "What reads, writes and decides": "docs/how-it-works.md",
        "How a pipeline is recovered": "docs/recovery.md",
        "Write a rule": "docs/writing-a-rule.md",
        "Contribute": "CONTRIBUTING.md",
    },
    "Evidence": {
        "In the wild": "docs/in-the-wild.md",
        "What TensorFlow does": "docs/truth.md",
        "TensorFlow's guides": "docs/guides.md",
        "How fast it is": "docs/benchmarks.md",
    },
    "About": {"Changes": "CHANGELOG.md", "Versions": "docs/versioning.md", "Security": "SECURITY.md"},
}
_ROWS = re.MULTILINE | re.DOTALL
_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<language>\w*)(?P<words>[^\n]*)\n(?P<code>.*?)^(?P=fence)$", _ROWS)
_FIRST = re.compile(r"^```python[^\n]*\n(.*?)^```$", _ROWS)
#: In the line below the title of a rule's page.
_FIX = re.compile(r"\b(?:safe|unsafe)\b")
#: Headings below "Cases": on the site they are words, so that neither the table of contents nor the search has them.
_KIND = re.compile(r"^### ([A-Z][a-z ]+)$", re.MULTILINE)
_LINK = re.compile(r"(?P<image>!?)\[(?P<words>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s:]+)\)")


def write(folder: Path) -> None:
    """Write pages, navigation and the settings of Zensical into a folder. Raises SystemExit for a broken link."""
    sources = _sources()
    texts = {place: path.read_text(encoding="utf-8") for place, path in sources.items() if place.endswith(".md")}
    pages = folder / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    for place, path in sources.items():
        _parent(pages / place)
        if place not in texts:
            shutil.copyfile(path, pages / place)
    for place, text in texts.items():
        _parent(pages / place)
        (pages / place).write_text(_page(text, place, texts, sources), encoding="utf-8")
    navigation = _navigation()
    (folder / "navigation.json").write_text(json.dumps(navigation, indent=1, ensure_ascii=False), encoding="utf-8")
    # JSON is YAML.
    (folder / "mkdocs.yml").write_text(json.dumps(_mkdocs(folder, navigation), indent=1), encoding="utf-8")


def _parent(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)


def _sources() -> dict[str, Path]:
    """The files of the site, by their places in it."""
    own = ROOT / "website" / "pages"
    found = {path.relative_to(own).as_posix(): path for path in sorted(own.rglob("*")) if path.is_file()}
    found |= {path.relative_to(ROOT).as_posix(): path for pattern in PATTERNS for path in sorted(ROOT.glob(pattern))}
    if not PLAYGROUND.is_dir():
        sys.stderr.write("The playground is left out: website/playground/ says how it is built\n")
        del found["playground.md"]
    for path in sorted(PLAYGROUND.rglob("*")):
        if path.is_file() and path.name != "index.html":
            found[f"assets/playground/{path.relative_to(PLAYGROUND).as_posix()}"] = path
    return found


def _navigation() -> dict[str, Any]:
    rules = defaultdict(dict)
    for rule in all_rules():
        rules[CHAPTERS[rule.code[3]]][f"{rule.code} {rule.name}"] = f"rules/{rule.code}-{rule.name}.md"
    found = {**NAVIGATION, "Rules": {**NAVIGATION["Rules"], **rules}}
    if not PLAYGROUND.is_dir():
        del found["Playground"]
    return found


def _mkdocs(folder: Path, navigation: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "INHERIT": os.path.relpath(ROOT / "website" / "mkdocs.yml", folder),
        "docs_dir": "pages",
        "site_dir": "build",
        "site_url": DOCUMENTATION,
        "repo_url": REPOSITORY,
        "nav": _entries(navigation),
        "plugins": {"mkdocstrings": {"handlers": {"python": {"paths": [str(ROOT)]}}}},
    }


def _entries(navigation: Mapping[str, Any]) -> list[Any]:
    return [
        {title: _entries(below) if isinstance(below, Mapping) else below} if title else below
        for title, below in navigation.items()
    ]


# ── pages ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def rules_page() -> str:
    """All rules in chapters, as `docs/rules.md` has them."""
    rows = [
        "# Rules",
        "",
        "Refer to rules by code, name, or group in options, settings and comments. `tfdata-lint rule CODE` prints the",
        "page of a rule. The column *fix* says whether `--fix` can write its fix: a *safe* one, or an *unsafe* one",
        "with `--unsafe-fixes` ([Fixes](fixes.md)).",
        "",
        "| group | severity | meaning |",
        "|---|---|---|",
        "| correctness | error | the model sees wrong data, or the program hangs or fails |",
        "| performance | warning | it costs time or memory |",
        "| advice | advice | a recommendation, often what newer TensorFlow does by itself; never fails the run |",
        "| upgrade | warning | a deprecated or removed name that has a replacement |",
        "| pedantic | advice, off by default | useful in some projects, noise in others |",
        "",
        "Each finding has its own severity. A finding is only advice if your TensorFlow already fixes the problem by",
        "itself, or if it concerns data or programs that are small, such as tests. Each rule has a page with its",
        "reasons, measurements and exceptions. [truth.md](truth.md) lists the statements about TensorFlow on these",
        "pages, tested on each version since 2.12, and [guides.md](guides.md) each recommendation of TensorFlow's",
        "guides, with the rule that checks it.",
    ]
    chapter = ""
    for rule in all_rules():
        if CHAPTERS[rule.code[3]] != chapter:
            chapter = CHAPTERS[rule.code[3]]
            rows += ["", f"## {chapter}", "", "| code | name | group | fix | what it finds |", "|---|---|---|---|---|"]
        group, link = rule.group + ", preview" * (rule.status == "preview"), f"../rules/{rule.code}-{rule.name}.md"
        fix = ", ".join(dict.fromkeys(_FIX.findall(explanation(rule).split("\n", 3)[2])))
        rows.append(f"| [{rule.code}]({link}) | {rule.name} | {group} | {fix} | {rule.summary} |")
    return "\n".join(rows) + "\n"


def _page(text: str, place: str, texts: Mapping[str, str], sources: Mapping[str, Path]) -> str:
    if place.startswith("rules/"):
        text = _folded(text)
    parts, end = [], 0
    for fence in _FENCE.finditer(text):
        parts += [_links(text[end : fence.start()], place, texts, sources), _fence(fence)]
        end = fence.end()
    return "".join([*parts, _links(text[end:], place, texts, sources)])


def _folded(text: str) -> str:
    """A rule's page with its cases closed, and out of the search."""
    reader, _, cases = text.partition("\n## Cases\n")
    if not cases:
        return text
    count = len(re.findall(r"^```python", cases, re.MULTILINE))
    summary = f"<summary>{count} more examples, which are also the tests of this rule</summary>"
    opening = '<details class="cases" markdown="1" data-search-exclude="">'
    if PLAYGROUND.is_dir():
        reader = _FIRST.sub(lambda block: f"{block[0]}\n{_in_playground(block[1])}\n", reader, count=1)
    cases = _KIND.sub(r"**\1**\n", cases).strip()
    return f"{reader}\n{opening}\n{summary}\n\n{cases}\n\n</details>\n"


def _in_playground(code: str) -> str:
    """A link that opens the playground with some code; its form is that of `playground/link.js`."""
    press = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = base64.urlsafe_b64encode(press.compress(code.encode()) + press.flush()).decode().rstrip("=")
    return f'<a href="../playground/#code={packed}">Open in the playground</a>'


def _fence(fence: re.Match[str]) -> str:
    """What our tests read behind the language becomes the title of the block."""
    words = fence["words"].split()
    said = ["after the fix"] if "fixed" in words else []
    for word in words:
        name, _, value = word.partition("=")
        if name == "target":
            said.append(f"for TensorFlow {value}")
        if name == "raises":
            said.append(f"raises {value or 'an error'}")
    title = f' title="{", ".join(said)}"' if said else ""
    return f"{fence['fence']}{fence['language']}{title}\n{fence['code']}{fence['fence']}"


def _links(text: str, place: str, texts: Mapping[str, str], sources: Mapping[str, Path]) -> str:
    def link(found: re.Match[str]) -> str:
        path, _, anchor = found["target"].partition("#")
        if not path:
            return found[0]
        full = posixpath.normpath(posixpath.join(posixpath.dirname(place), path))
        if full in texts or full in sources:
            # In the repository the name of a file says where to look; here its title does.
            is_named = found["words"] == path and full in texts
            words = texts[full].partition("\n")[0].removeprefix("# ") if is_named else found["words"]
            return f"{found['image']}[{words}]({found['target']})"
        if not (ROOT / full).exists():
            raise SystemExit(f"{place}: {found[0]}: there is no {full}")
        if not REPOSITORY:
            return found["words"]
        return f"[{found['words']}]({REPOSITORY}/blob/main/{full}{'#' + anchor if anchor else ''})"

    return _LINK.sub(link, text)


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "website" / "written").resolve())
