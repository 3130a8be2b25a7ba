"""What does the linter find in public code? Writes docs/in-the-wild.md, with the findings of in_the_wild.toml.

    python benchmarks/in_the_wild.py CHECKOUTS [--output docs/in-the-wild.md]

CHECKOUTS is a folder with a clone of each repository, named OWNER+NAME, at the commit of in_the_wild.toml. Where
a finding shown there is not reported any more, this says so, and writes nothing.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from tfdata_lint import __version__
from tfdata_lint.config.files import parse_toml
from tfdata_lint.config.target import Target
from tfdata_lint.rules import rule

CHOSEN = Path(__file__).with_suffix(".toml")
RESULTS = re.compile(r"(?<=<!-- results: begin -->\n).*(?=<!-- results: end -->)", re.DOTALL)
CHECK = [sys.executable, "-m", "tfdata_lint", "check", "--isolated", "--no-cache", "--output-format", "json", "."]


def checked(checkout: Path, commit: str) -> list[dict[str, Any]]:
    git = ["git", "-C", str(checkout), "rev-parse", "HEAD"]
    if (there := subprocess.run(git, capture_output=True, text=True).stdout.strip()) != commit:
        raise SystemExit(f"{checkout}: {there or 'nothing'} is checked out, not {commit}")
    done = subprocess.run(CHECK, cwd=checkout, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{checkout}: {done.stderr}")
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def size(checkout: Path) -> tuple[int, int]:
    """Modules and notebooks, and the rows of the modules."""
    files = [path for suffix in ("py", "ipynb") for path in checkout.rglob(f"*.{suffix}") if path.is_file()]
    return len(files), sum(path.read_bytes().count(b"\n") for path in files if path.suffix == ".py")


def is_it(found: Mapping[str, Any], chosen: Mapping[str, Any]) -> bool:
    return (found["filename"], found["cell"], found["location"]["row"], found["code"]) == (
        chosen["path"], chosen.get("cell"), chosen["row"], chosen["code"],
    )  # fmt: skip


def markdown(
    chosen: Sequence[Mapping[str, Any]],
    commits: Mapping[str, str],
    trees: Mapping[str, list[dict[str, Any]]],
    sizes: Mapping[str, tuple[int, int]],
) -> str:
    lines = [
        "## What was read", "",
        f"Figures of tfdata-lint {__version__} (development version of {date.today()}), for TensorFlow {Target()}"
        " unless a file needs TensorFlow 1.", "",
        "| repository | files | rows | errors | warnings | advice |", "|---|---:|---:|---:|---:|---:|",
    ]  # fmt: skip
    for name, found in trees.items():
        files, rows = sizes[name]
        levels = Counter(one["severity"] for one in found)
        counts = " | ".join(str(levels[level] or "") for level in ("error", "warning", "advice"))
        link = f"[{name}](https://github.com/{name}/tree/{commits[name]})"
        lines.append(f"| {link} | {files:,} | {rows:,} | {counts} |")
    lines += ["", "## By rule", "", "| rule | findings | in repositories |", "|---|---:|---:|"]
    everywhere = {name: Counter(one["code"] for one in found) for name, found in trees.items()}
    for code, count in sorted(sum(everywhere.values(), Counter()).items()):
        lines.append(f"| {page_link(code)} | {count} | {sum(code in codes for codes in everywhere.values())} |")
    lines += ["", "## Thirty of them", ""]
    for one in chosen:
        where = f"{one['path']}, cell {one['cell']}" if "cell" in one else f"{one['path']}:{one['row']}"
        anchor = "" if "cell" in one else f"#L{one['row']}"
        link = f"https://github.com/{one['repository']}/blob/{commits[one['repository']]}/{one['path']}{anchor}"
        measured = f" *Measured:* {one['measured']}" if "measured" in one else ""
        lines += [
            f"- **{one['repository']}**, [{where}]({link}), {page_link(one['code'])}:  ",
            f"  {one['consequence']} *Instead:* {one['fix']}{measured}",
        ]
    return "\n".join([*lines, ""])


def page_link(code: str) -> str:
    found = rule(code)
    assert found is not None
    return f"[{code} {found.name}](../rules/{code}-{found.name}.md)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--output", type=Path, help="a Markdown page: its results are replaced")
    arguments = parser.parse_args()

    data = parse_toml(CHOSEN.read_text(encoding="utf-8"))
    commits, chosen = data["repositories"], data["findings"]
    folders = {name: arguments.checkouts / name.replace("/", "+") for name in commits}
    trees = {name: checked(folder, commits[name]) for name, folder in folders.items()}
    gone = [one for one in chosen if not any(is_it(found, one) for found in trees[one["repository"]])]
    for one in gone:
        print(f"{one['repository']} {one['path']}:{one['row']}: {one['code']} is not found", file=sys.stderr)
    if gone:
        raise SystemExit(1)
    text = markdown(chosen, commits, trees, {name: size(folder) for name, folder in folders.items()})
    if arguments.output:
        page = arguments.output.read_text(encoding="utf-8")
        arguments.output.write_text(RESULTS.sub(lambda _: f"\n{text}\n", page), encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
