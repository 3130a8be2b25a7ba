"""How fast is tfdata-lint? Measures it and what it can be compared with, as whole processes in alternating rounds.

    pip install '.[bench]'
    python benchmarks/run.py TREE... [--mixed TREE] [--output docs/benchmarks.md]

Each TREE is a folder with code that uses tf.data: the modules that do so are copied and measured alone. `--mixed` is a
folder of many files of all kinds. `--compiled` and `--before` are measured in the same rounds: the Pythons of other
installations of tfdata-lint. Ruff and the peers that are not installed are left out; the trees stay as they are.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import sleep

from measure import Command, Usage, WrongResult, measure
from programs import HERE, Installation, Tools, here, linters
from report import FLOOR, FROM_CACHE, ONE, OURS, Comparison, Growth, Waits, plot, ratio

from tfdata_lint.pipeline.project.search import may_hold_pipeline
from tfdata_lint.source.discovery import discover

LATENCY = HERE.parent / "tests" / "lsp" / "latency.py"

#: The byte search alone keeps some files that only look as if they used tf.data.
TF_DATA = re.compile(rb"\b(?:tf|tensorflow)(?:\.compat\.v[12])?\.data\b|\btfds\.load\b|\bTFRecordDataset\b")
RESULTS = re.compile(r"(?<=<!-- results: begin -->\n).*(?=<!-- results: end -->)", re.DOTALL)
SCENES = ("mixed", "pipelines", "hook", "editor", "growth")
Result = Comparison | Waits | Growth
#: How many files the growth starts from, at most.
GROWING = 64

FUNCTION = '''
def pipeline_{number}(pattern, batch_size, training):
    """Reads, parses and augments images."""

    def parse(record):
        example = tf.io.parse_single_example(record, {{"image": tf.io.FixedLenFeature([], tf.string)}})
        return tf.image.resize(tf.io.decode_jpeg(example["image"], channels=3), [224, 224]) / 255.0

    dataset = tf.data.Dataset.list_files(pattern, shuffle=training).flat_map(tf.data.TFRecordDataset)
    dataset = dataset.map(parse)
    if training:
        dataset = dataset.map(tf.image.random_flip_left_right).repeat()
    dataset = dataset.batch(batch_size, drop_remainder=training)
    for step, images in enumerate(dataset.take(100)):
        print(step, images.shape)
    return dataset
'''
#: A distribution with nine copies of each rule.
MORE_RULES = {
    "more_rules.py": """\
from tfdata_lint.rules import own_rules

for own in list(own_rules()):
    for copy in range(9):
        name = f"{own.name}-{copy}"
        members = {"code": f"COPY{copy}{own.code}", "name": name, "__module__": __name__}
        globals()[name] = type(type(own))(name, (type(own),), members)
""",
    "more_rules-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: more-rules\nVersion: 1\n",
    "more_rules-1.dist-info/entry_points.txt": "[tfdata_lint.rules]\nmore = more_rules\n",
}
#: Modules are looked for in the folders above, but not outside of the repository.
REPOSITORY = {".git/HEAD": ""}
SETTINGS = '[project]\nname = "example"\nversion = "1"\ndependencies = ["tensorflow>=2.10"]\n'


@dataclass(frozen=True)
class Bench:
    """What all measurements share."""

    rounds: int
    scratch: Path
    installations: list[Installation]
    """Of tfdata-lint; the first is the one that belongs to this Python."""
    tools: Tools
    pipelines: Sequence[Path]
    """Copies of the modules that use tf.data, below `copies`."""
    copies: Path
    load: float
    """How busy the machine was at the start: the processes that ran or waited during a minute."""

    @property
    def ours(self) -> Installation:
        return self.installations[0]

    def measure(self, commands: Sequence[Command]) -> dict[str, Usage]:
        # A cache cannot trust the time of a file that has just been written.
        sleep(2.5)
        return measure(commands, self.rounds, self.scratch)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", metavar="TREE", type=Path)
    parser.add_argument("--mixed", metavar="TREE", type=Path)
    parser.add_argument("--rounds", type=int, default=5, help="after one that does not count (default: 5)")
    parser.add_argument("--only", choices=SCENES, action="append", help="measure this alone; may be given repeatedly")
    parser.add_argument("--compiled", metavar="PYTHON", help="of an installation that must find the same")
    parser.add_argument("--before", metavar="PYTHON", help="of an older installation, which may find something else")
    parser.add_argument("--tools", metavar="VENV", type=Path, default=sys.prefix, help="where the others are installed")
    parser.add_argument("--output", metavar="FILE", type=Path, help="a page with markers; the plot goes beside it")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    installations = [here()]
    if arguments.compiled:
        installations.append(Installation(f"{OURS} compiled", arguments.compiled))
    if arguments.before:
        installations.append(Installation(f"{OURS} before", arguments.before, findings="findings-before"))
    path = os.pathsep.join([str(arguments.tools / "bin"), os.environ.get("PATH", "")])
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        scratch = Path(folder).resolve()
        copies = scratch / "pipelines"
        try:
            pipelines = copy_pipelines(arguments.trees, copies)
            tools = Tools(path, scratch)
            bench = Bench(arguments.rounds, scratch, installations, tools, pipelines, copies, load)
            write(bench, run(bench, arguments.mixed, arguments.only or SCENES), arguments.output)
        except WrongResult as error:
            sys.exit(f"error: {error}")


def run(bench: Bench, mixed: Path | None, wanted: Sequence[str]) -> Iterator[Result]:
    tools = bench.tools
    if mixed and "mixed" in wanted:
        tree = mixed.resolve()
        yield compare(bench, "A mixed tree", "mixed", tree, tools.everywhere(tree))
    if "pipelines" in wanted:
        tree = bench.copies
        others = [*tools.everywhere(tree), *tools.on_pipelines(tree)]
        yield compare(bench, "Files with tf.data only", "pipelines", tree, others)
    if "hook" in wanted:
        yield as_hook(bench)
    if "editor" in wanted and find_spec("pytest_lsp"):
        yield in_editor(bench)
    if "growth" in wanted:
        yield growth(bench)


def write(bench: Bench, measured: Iterable[Result], output: Path | None) -> None:
    results: list[Result] = []
    for result in measured:
        results.append(result)
        print(result.markdown(), end="\n\n", flush=True)
    print(about := machine(bench))
    text = "\n\n".join([about, *(result.markdown() for result in results)])
    if output:
        page = output.read_text(encoding="utf-8")
        output.write_text(RESULTS.sub(lambda _: f"\n{text}\n\n", page), encoding="utf-8")
        if comparisons := [result for result in results if isinstance(result, Comparison)]:
            output.with_suffix(".svg").write_text(plot(comparisons), encoding="utf-8")


def machine(bench: Bench) -> str:
    about = (
        f"Measured on {date.today()}. "
        f"{platform.system()} on {os.cpu_count()} cores ({platform.machine()}), with a load of {bench.load:.1f} before "
        f"and {os.getloadavg()[0]:.1f} at the end; {bench.tools.versions()}. "
        f"Medians of {bench.rounds} rounds. The memory is that of the largest process."
    )
    return "\n".join([about, "", *(f"- {each.label} {each.description()}" for each in bench.installations)])


# ── what is measured ────────────────────────────────────────────────────────────────────────────────────────────────


def compare(bench: Bench, title: str, name: str, tree: Path, others: Iterable[Command]) -> Comparison:
    ours = linters(bench.installations, tree, bench.scratch, name)
    usages = bench.measure([*ours, *bench.tools.ruff(tree, name), *others])
    floor, one = usages[FLOOR], usages[OURS + ONE]
    files, parsed = map(int, "".join(bench.ours.lines(sys.executable, HERE / "floor.py", tree)).split())
    note = (
        f"In one process {OURS} takes {ratio(one.wall, floor.wall)} × the wall-clock time of the floor "
        f"and {ratio(one.cpu, floor.cpu)} × its CPU time."
    )
    return Comparison(title, f"{files:,} files, {parsed:,} of which may hold a pipeline.", usages, note)


def as_hook(bench: Bench) -> Comparison:
    """On files of the size in the middle: three with nothing to report, and three with something to fix."""
    tree, lint = bench.copies, (*bench.ours.words, "--isolated", "-q")
    reported = {line.partition(":")[0] for line in bench.ours.lines(*lint, "--output-format=concise", cwd=tree)}
    fixable = {line[4:] for line in bench.ours.lines(*lint, "--diff", cwd=tree) if line.startswith("--- ")}
    clean = middle(file for file in bench.pipelines if str(file.relative_to(tree)) not in reported)
    dirty = middle(file for file in bench.pipelines if str(file.relative_to(tree)) in fixable)
    if not clean or not dirty:
        raise WrongResult("a hook cannot be measured: the trees have no file without findings, or none to fix")

    def hook(ours: Installation, what: str, name: str, *options: str, same: bool = False) -> Command:
        folder = bench.scratch / "hook" / name
        make_project(folder, clean if name.startswith("clean") else dirty)
        files = sorted(str(file.relative_to(folder)) for file in folder.rglob("*.py"))
        return ours.lint(what, "--force-exclude", *options, *files, cwd=folder, same=same)

    commands: list[Command] = []
    for number, ours in enumerate(bench.installations):
        commands += [
            hook(ours, ", findings", "dirty", "--no-cache", same=True),
            hook(ours, FROM_CACHE, f"dirty-{number}", same=True),
            hook(ours, ", nothing to report", "clean", "--no-cache"),
            hook(ours, ", nothing to report" + FROM_CACHE, f"clean-{number}"),
        ]
    fix = hook(bench.ours, " --fix", "fixed", "--no-cache", "--fix")
    before, after = bench.scratch / "hook" / "dirty", fix.cwd
    usages = bench.measure(
        [
            *commands,
            hook(bench.ours, " --diff", "dirty", "--no-cache", "--diff"),
            replace(fix, before=lambda: make_project(after, dirty)),
            *bench.tools.ruff(before, "hook"),
            Command("Python, doing nothing", (sys.executable, "-c", "pass"), bench.scratch),
        ]
    )
    if not filecmp.dircmp(before / "code", after / "code").diff_files:
        raise WrongResult("--fix has fixed nothing")
    length, quiet = (sum(file.read_bytes().count(b"\n") for file in files) for files in (dirty, clean))
    what = (
        f"{len(dirty)} files of {length:,} lines together with something to fix, and {len(clean)} files of {quiet:,} "
        "lines with nothing to report, in a project with settings."
    )
    return Comparison("A hook", what, usages)


def in_editor(bench: Bench) -> Waits:
    """Installations in turn. Server and client are of the same Python where the package is not installed."""
    waits: dict[str, list[tuple[float, ...]]] = {each.label: [] for each in bench.installations}
    for number in range(bench.rounds):
        for ours in bench.installations:
            server = () if ours.path else (f"--python={ours.python}",)
            told = "".join(bench.ours.lines(sys.executable, LATENCY, "--only-waits", *server))
            median_and_p95 = tuple(map(float, re.findall(r"([\d.]+) ms", told)[:2]))
            print(f"  {number + 1}/{bench.rounds} {median_and_p95[1]:8.1f} ms  {ours.label}", file=sys.stderr)
            waits[ours.label].append(median_and_p95)
    medians = {label: tuple(map(median, zip(*each, strict=True))) for label, each in waits.items()}
    return Waits("From an edit of a module of 1,000 rows to its findings, less the pause on purpose.", medians)


def growth(bench: Bench) -> Growth:
    folder = bench.scratch / "growth"
    some = bench.pipelines[:GROWING]
    commands: list[Command] = []

    def add(label: str, tree: Path, more: str = "") -> None:
        command = bench.ours.lint("", "--isolated", "--no-cache", "--jobs=1", tree, cwd=bench.scratch, more=more)
        commands.append(replace(command, label=label))

    put(folder, REPOSITORY)
    put(folder / "start", {"file.py": "import tensorflow as tf\n\nfor x in tf.data.Dataset.range(3):\n    print(x)\n"})
    add("start", folder / "start")
    for factor in (1, 4, 16):
        tree = folder / f"files-{factor}"
        for number in range(factor):
            copy(some, bench.copies, tree / f"copy_{number}")
        add(f"files × {factor}", tree)
    for factor in (1, 10, 100):
        tree = folder / f"functions-{factor}"
        functions = "".join(FUNCTION.format(number=number) for number in range(10 * factor))
        put(tree, {"file.py": f"import tensorflow as tf\n{functions}"})
        add(f"functions in a file × {factor}", tree)
    put(folder / "rules", MORE_RULES)
    add("rules × 1", folder / "files-1")
    add("rules × 10", folder / "files-1", str(folder / "rules"))
    what = f"In one process: {len(some)} files and copies of them, a file of 10 functions and copies of those."
    return Growth(what, bench.measure(commands))


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def copy_pipelines(trees: Sequence[Path], target: Path) -> list[Path]:
    """Copies of the modules that use tf.data, those of each tree in a folder."""
    put(target, REPOSITORY)
    copied: list[Path] = []
    for number, tree in enumerate(trees):
        files = (Path(found.path) for found in discover([str(tree)]) if found.path.endswith(".py"))
        copied += copy((file for file in files if uses_tf_data(file)), tree, target / f"tree_{number}")
    if not copied:
        raise WrongResult("no module in these trees uses tf.data")
    return copied


def uses_tf_data(file: Path) -> bool:
    data = file.read_bytes()
    return may_hold_pipeline(data) and bool(TF_DATA.search(data))


def copy(files: Iterable[Path], source: Path, target: Path) -> list[Path]:
    copies = []
    for file in files:
        copies.append(target / file.relative_to(source))
        copies[-1].parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copies[-1])
    return copies


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def make_project(folder: Path, files: Sequence[Path]) -> None:
    """A project of these files, without anything that was there before."""
    shutil.rmtree(folder, ignore_errors=True)
    put(folder, {"pyproject.toml": SETTINGS, **REPOSITORY})
    (folder / "code").mkdir()
    for number, file in enumerate(files):
        shutil.copyfile(file, folder / "code" / f"{number}_{file.name}")


def middle(files: Iterable[Path]) -> list[Path]:
    """Three files, neither short nor long ones."""
    by_size = sorted(files, key=lambda file: file.stat().st_size)
    start = max(0, (len(by_size) - 3) // 2)
    return by_size[start : start + 3]


if __name__ == "__main__":
    main()
