"""How fast is tfdata-lint? Measures it and what it can be compared with, as whole processes in alternating rounds.

    pip install '.[bench]'
    python benchmarks/run.py TREE... [--mixed TREE] [--output docs/benchmarks.md]

Each TREE is a folder with code that uses tf.data: the modules that do so are copied and measured alone. `--mixed` is a
folder of many files of all kinds. Ruff and the peers that are not installed are left out; the trees stay as they are.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import sleep

from measure import Command, Usage, WrongResult, environment, measure
from report import FROM_CACHE, OURS, RUFF, Comparison, Growth, plot, ratio

import tfdata_lint
from tfdata_lint.pipeline.project.search import may_hold_pipeline
from tfdata_lint.source.discovery import discover

HERE = Path(__file__).resolve().parent
#: The installed package, or the one of the repository.
PACKAGE = str(Path(tfdata_lint.__file__).resolve().parents[1])
#: What the installed command does.
LINT = (sys.executable, "-c", "import sys; from tfdata_lint.cli import main; sys.exit(main())", "check", "--exit-zero")
ONE, TWO, FLOOR = f"{OURS}, 1 process", f"{OURS}, 2 processes", "the floor"

#: The byte search alone keeps some files that only look as if they used tf.data.
TF_DATA = re.compile(rb"\b(?:tf|tensorflow)(?:\.compat\.v[12])?\.data\b|\btfds\.load\b|\bTFRecordDataset\b")
RESULTS = re.compile(r"(?<=<!-- results: begin -->\n).*(?=<!-- results: end -->)", re.DOTALL)
SCENES = ("mixed", "pipelines", "hook", "growth")
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
from tfdata_lint.rules import _own_rules

for own in list(_own_rules()):
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
    path: str
    """Where Ruff and the peers are looked up."""
    pipelines: Sequence[Path]
    """Copies of the modules that use tf.data, below `copies`."""
    copies: Path

    def measure(self, commands: Sequence[Command]) -> dict[str, Usage]:
        # A cache cannot trust the time of a file that has just been written.
        sleep(2.5)
        return measure(commands, self.rounds, self.scratch)

    def tool(self, name: str) -> str | None:
        return shutil.which(name, path=self.path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", metavar="TREE", type=Path)
    parser.add_argument("--mixed", metavar="TREE", type=Path)
    parser.add_argument("--rounds", type=int, default=5, help="after one that does not count (default: 5)")
    parser.add_argument("--only", choices=SCENES, action="append", help="measure this alone; may be given repeatedly")
    parser.add_argument("--tools", metavar="VENV", type=Path, default=sys.prefix, help="where the others are installed")
    parser.add_argument("--output", metavar="FILE", type=Path, help="a page with markers; the plot goes beside it")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    path = os.pathsep.join([str(arguments.tools / "bin"), os.environ.get("PATH", "")])
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        scratch = Path(folder).resolve()
        copies = scratch / "pipelines"
        try:
            bench = Bench(arguments.rounds, scratch, path, copy_pipelines(arguments.trees, copies), copies)
            write(bench, run(bench, arguments.mixed, arguments.only or SCENES), arguments.output)
        except WrongResult as error:
            sys.exit(f"error: {error}")


def run(bench: Bench, mixed: Path | None, wanted: Sequence[str]) -> Iterator[Comparison | Growth]:
    if mixed and "mixed" in wanted:
        tree = mixed.resolve()
        yield compare(bench, "A mixed tree", tree, [*linters(bench, tree, "mixed")])
    if "pipelines" in wanted:
        tree = bench.copies
        yield compare(bench, "Files with tf.data only", tree, [*linters(bench, tree, "pipelines"), *peers(bench, tree)])
    if "hook" in wanted:
        yield as_hook(bench)
    if "growth" in wanted:
        yield growth(bench)


def write(bench: Bench, results: Iterable[Comparison | Growth], output: Path | None) -> None:
    results = list(results)
    text = "\n\n".join([machine(bench), *(result.markdown() for result in results)])
    print(text)
    if output:
        page = output.read_text(encoding="utf-8")
        output.write_text(RESULTS.sub(lambda _: f"\n{text}\n\n", page), encoding="utf-8")
        if comparisons := [result for result in results if isinstance(result, Comparison)]:
            output.with_suffix(".svg").write_text(plot(comparisons), encoding="utf-8")


def machine(bench: Bench) -> str:
    tools = {"Ruff": "ruff", "Fixit": "fixit", "pylint": "pylint", "flake8": "flake8", "semgrep": "semgrep"}
    versions = [f"{label} {version(found)}" for label, name in tools.items() if (found := bench.tool(name))]
    programs = ", ".join([f"{OURS} {tfdata_lint.__version__}", f"Python {platform.python_version()}", *versions])
    return (
        f"{platform.system()} on {os.cpu_count()} cores ({platform.machine()}); {programs}. "
        f"Medians of {bench.rounds} rounds. The memory is that of the largest process."
    )


def version(tool: str) -> str:
    # Semgrep would ask the network whether there is a newer one.
    calm = environment({"SEMGREP_ENABLE_VERSION_CHECK": "0"})
    told = subprocess.run([tool, "--version"], capture_output=True, text=True, env=calm, check=False).stdout
    found = re.search(r"\d+(\.\d+)+", told)
    return found[0] if found else ""


# ── what is measured ────────────────────────────────────────────────────────────────────────────────────────────────


def compare(bench: Bench, title: str, tree: Path, commands: Sequence[Command]) -> Comparison:
    usages = bench.measure(commands)
    floor, one = usages[FLOOR], usages[ONE]
    files, parsed = map(int, "".join(lines(sys.executable, HERE / "floor.py", tree)).split())
    note = (
        f"In one process {OURS} takes {ratio(one.wall, floor.wall)} × the wall-clock time of the floor "
        f"and {ratio(one.cpu, floor.cpu)} × its CPU time."
    )
    return Comparison(title, f"{files:,} files, {parsed:,} of which may hold a pipeline.", usages, note)


def as_hook(bench: Bench) -> Comparison:
    """On files of the size in the middle: three with nothing to report, and three with something to fix."""
    tree = bench.copies
    reported = {
        line.partition(":")[0] for line in lines(*LINT, "--isolated", "--output-format=concise", "-q", cwd=tree)
    }
    fixable = {line[4:] for line in lines(*LINT, "--isolated", "--diff", "-q", cwd=tree) if line.startswith("--- ")}
    clean = middle(file for file in bench.pipelines if str(file.relative_to(tree)) not in reported)
    dirty = middle(file for file in bench.pipelines if str(file.relative_to(tree)) in fixable)
    if not clean or not dirty:
        raise WrongResult("a hook cannot be measured: the trees have no file without findings, or none to fix")
    projects = {name: bench.scratch / "hook" / name for name in ("clean", "known", "before", "cached", "after")}
    for name, folder in projects.items():
        make_project(folder, clean if name in ("clean", "known") else dirty)

    def hook(label: str, name: str, *options: str, prints: str = "") -> Command:
        folder = projects[name]
        files = sorted(str(file.relative_to(folder)) for file in folder.rglob("*.py"))
        return lint(label, "--force-exclude", *options, *files, cwd=folder, prints=prints)

    fix = hook(f"{OURS} --fix", "after", "--no-cache", "--fix")
    usages = bench.measure(
        [
            hook(f"{OURS}, findings", "before", "--no-cache", prints="findings"),
            hook(OURS + FROM_CACHE, "cached", prints="findings"),
            hook(f"{OURS}, nothing to report", "clean", "--no-cache"),
            hook(f"{OURS}, nothing to report{FROM_CACHE}", "known"),
            hook(f"{OURS} --diff", "before", "--no-cache", "--diff"),
            replace(fix, before=lambda: make_project(projects["after"], dirty)),
            *ruff(bench, projects["before"], "hook"),
            Command("Python, doing nothing", (sys.executable, "-c", "pass"), bench.scratch),
        ]
    )
    if not filecmp.dircmp(projects["before"] / "code", projects["after"] / "code").diff_files:
        raise WrongResult("--fix has fixed nothing")
    length, quiet = (sum(file.read_bytes().count(b"\n") for file in files) for files in (dirty, clean))
    what = (
        f"{len(dirty)} files of {length:,} lines together with something to fix, and {len(clean)} files of {quiet:,} "
        "lines with nothing to report, in a project with settings."
    )
    return Comparison("A hook", what, usages)


def growth(bench: Bench) -> Growth:
    folder = bench.scratch / "growth"
    some = bench.pipelines[:GROWING]
    commands: list[Command] = []

    def add(label: str, tree: Path, more: str = "") -> None:
        commands.append(lint(label, "--isolated", "--no-cache", "--jobs=1", tree, cwd=bench.scratch, more=more))

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


# ── the programs ────────────────────────────────────────────────────────────────────────────────────────────────────


def linters(bench: Bench, tree: Path, name: str) -> Iterator[Command]:
    """What is measured on all trees. Settings that lie there count for nobody."""
    here = bench.scratch
    ours = partial(lint, cwd=here, prints="findings")
    yield ours(ONE, "--isolated", "--no-cache", "--jobs=1", tree)
    yield ours(TWO, "--isolated", "--no-cache", "--jobs=2", tree)
    yield ours(OURS + FROM_CACHE, "--isolated", f"--cache-dir={here / f'{name}-cache'}", tree)
    yield Command(FLOOR, (sys.executable, HERE / "floor.py", tree), here, {"PYTHONPATH": PACKAGE})
    yield from ruff(bench, tree, name)


def lint(label: str, *words: str | Path, cwd: Path, prints: str = "", more: str = "") -> Command:
    path = os.pathsep.join([PACKAGE, more] if more else [PACKAGE])
    return Command(label, (*LINT, *words), cwd, {"PYTHONPATH": path}, prints)


def ruff(bench: Bench, tree: Path, name: str) -> Iterator[Command]:
    if tool := bench.tool("ruff"):
        words = (tool, "check", "--isolated", "--exit-zero", "--select=NPY", tree)
        yield Command(RUFF, (*words, "--no-cache"), bench.scratch)
        yield Command(RUFF + FROM_CACHE, (*words, f"--cache-dir={bench.scratch / f'{name}-ruff-cache'}"), bench.scratch)


def peers(bench: Bench, tree: Path) -> Iterator[Command]:
    """Linters in Python, or of patterns. Fixit and semgrep look for what some of our rules look for."""
    rules = HERE / "peers"
    offline = ("--metrics=off", "--disable-version-check", "--no-git-ignore", "--quiet")
    programs: dict[str, tuple[str | Path, ...]] = {
        "flake8": ("flake8", "--isolated", "--exit-zero", tree),
        "semgrep, 5 rules": ("semgrep", "scan", f"--config={rules / 'semgrep.yaml'}", *offline, tree),
        "Fixit, 1 rule": ("fixit", "--quiet", "--rules", "sequential_map", "lint", tree),
        "pylint, rules of perflint": ("perflint", f"--rcfile={os.devnull}", "--recursive=y", "--exit-zero", tree),
    }
    places = {"PYTHONPATH": str(rules), "PATH": bench.path, "HOME": str(bench.scratch)}
    for label, (name, *words) in programs.items():
        if tool := bench.tool(str(name)):
            # Fixit says with its exit code that there are findings (1) and files that it cannot parse (2).
            yield Command(label, (tool, *words), bench.scratch, places, codes=(0, 1, 2, 3))


def lines(*words: str | Path, cwd: Path | None = None) -> Iterator[str]:
    """What a program of ours prints. Not all at once: the memory of this process would count as that of the others."""
    places = environment({"PYTHONPATH": PACKAGE})
    with subprocess.Popen(words, cwd=cwd, env=places, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        assert process.stdout
        for line in process.stdout:
            yield line.rstrip("\n")
    if process.returncode:
        raise WrongResult(f"{' '.join(map(str, words))}: exit code {process.returncode}")


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
