"""Makes a site of the pages that stand in the repository: each at its own place, so that links hold here and there.

What is only on the site stands in `pages/`. Links to files that are no pages lead to the repository, if it has an
address (`tfdata_lint.REPOSITORY`), and else are only words.
"""

from __future__ import annotations

import logging
import os
import posixpath
import re
import sys
from collections import defaultdict
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tfdata_lint import DOCUMENTATION, REPOSITORY  # noqa: E402
from tfdata_lint.rules import all_rules  # noqa: E402

log = logging.getLogger("mkdocs.plugins.tfdata-lint")
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
_ROWS = re.MULTILINE | re.DOTALL
_TABLE = re.compile(r"<!-- rules: begin -->.*?<!-- rules: end -->\n", re.DOTALL)
_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<language>\w*)(?P<words>[^\n]*)\n(?P<code>.*?)^(?P=fence)$", _ROWS)
_LINK = re.compile(r"(?P<image>!?)\[(?P<words>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s:]+)\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.site_url = DOCUMENTATION
    config.repo_url = REPOSITORY
    if not PLAYGROUND.is_dir():
        config.nav = [entry for entry in config.nav or () if entry != {"Playground": "playground.md"}]
    for entry in config.nav or ():
        if isinstance(entry, dict) and "Rules" in entry:
            entry["Rules"] += _chapters()
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for path in sorted(path for pattern in PATTERNS for path in ROOT.glob(pattern)):
        files.append(File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)))
    files.append(File.generated(config, "rules/README.md", content=_rules_page()))
    if not PLAYGROUND.is_dir():
        log.info("The playground is left out: website/playground/ says how it is built")
        files.remove(files.src_uris["playground.md"])
    for path in sorted(PLAYGROUND.rglob("*")):
        if path.is_file() and path.name != "index.html":
            name = f"assets/playground/{path.relative_to(PLAYGROUND).as_posix()}"
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if page.file.src_uri == "README.md":
        markdown = _TABLE.sub("There are [all of them](rules/README.md).\n", markdown)
    place = posixpath.dirname(page.file.src_uri)
    parts, end = [], 0
    for fence in _FENCE.finditer(markdown):
        parts += [_links(markdown[end : fence.start()], place, files), _fence(fence)]
        end = fence.end()
    return "".join([*parts, _links(markdown[end:], place, files)])


# ── the parts ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _chapters() -> list[dict[str, list[dict[str, str]]]]:
    pages = defaultdict(list)
    for rule in all_rules():
        pages[CHAPTERS[rule.code[3]]].append({f"{rule.code} {rule.name}": f"rules/{rule.code}-{rule.name}.md"})
    return [{title: listed} for title, listed in pages.items()]


def _rules_page() -> str:
    """The table of the README, in chapters."""
    rows = [
        "# Rules",
        "",
        "Refer to rules by code, name, or group in options, settings and comments.",
        "",
    ]
    chapter = ""
    for rule in all_rules():
        if CHAPTERS[rule.code[3]] != chapter:
            chapter = CHAPTERS[rule.code[3]]
            rows += ["", f"## {chapter}", "", "| code | name | group | what it finds |", "|---|---|---|---|"]
        group = rule.group + ", preview" * (rule.status == "preview")
        rows.append(f"| [{rule.code}]({rule.code}-{rule.name}.md) | {rule.name} | {group} | {rule.summary} |")
    return "\n".join(rows) + "\n"


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


def _title(file: File) -> str:
    return file.content_string.partition("\n")[0].removeprefix("# ")


def _links(text: str, place: str, files: Files) -> str:
    return _LINK.sub(lambda link: _link(link, place, files), text)


def _link(link: re.Match[str], place: str, files: Files) -> str:
    path, _, anchor = link["target"].partition("#")
    if not path:
        return link[0]
    full = posixpath.normpath(posixpath.join(place, path))
    if found := files.get_file_from_path(full):
        # In the repository the name of a file says where to look; here its title does.
        words = _title(found) if link["words"] == path else link["words"]
        return f"{link['image']}[{words}]({link['target']})"
    if not (ROOT / full).exists():
        raise PluginError(f"{link[0]}: there is no {full}")
    if not REPOSITORY:
        return link["words"]
    return f"[{link['words']}]({REPOSITORY}/blob/main/{full}{'#' + anchor if anchor else ''})"
