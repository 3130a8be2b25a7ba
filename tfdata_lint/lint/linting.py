"""One file: its content is read, recovered, and judged by the rules; what they found is put into the user's terms.

A file that fails is a diagnostic of that file. What recovers and judges is imported when a file may hold a pipeline.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.settings.selection import is_active
from tfdata_lint.lint.diagnostics import Diagnostic, internal_error, position, unread_rest, unreadable
from tfdata_lint.lint.problems import problems_in
from tfdata_lint.lint.reports import File, FileReport
from tfdata_lint.pipeline.project.search import may_consume, may_hold_loop, may_hold_pipeline
from tfdata_lint.source import content, module
from tfdata_lint.source.places import Place

if TYPE_CHECKING:
    from tfdata_lint.pipeline.nouns.graph import PipelineGraph
    from tfdata_lint.pipeline.project.modules import Project
    from tfdata_lint.source.module import Source


def lint_source(
    source: Source | str | bytes, path: str = "pipeline.py", settings: Settings | None = None
) -> FileReport:
    """Lint one module or notebook given as text. Raises TypeError for what is no text."""
    settings = settings or Settings()
    if isinstance(source, module.Source):
        return lint(source, settings, new_project())
    return lint_bytes(encoded(source), path, settings, explicit=True)


def recover(source: Source | str | bytes, path: str = "pipeline.py", project: Project | None = None) -> PipelineGraph:
    """Every pipeline in one module or notebook. Raises TypeError for what is no text."""
    from tfdata_lint.pipeline import recover as pipelines

    if not isinstance(source, module.Source):
        source = module.load(encoded(source), path)
    return pipelines.recover(source, project)


def encoded(text: str | bytes) -> bytes:
    """What a file with this text holds. Raises TypeError."""
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"not the text of a module: {text!r} (`lint_paths` reads files)")
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def look(file: File) -> bytes | FileReport | None:
    """The content of a file; None when the byte search passes over it, and a report when it cannot be read."""
    data = content_of(file)
    if isinstance(data, Diagnostic):
        return unread(file, data)
    return data if file.explicit or may_matter(data) else None


def lint_bytes(
    data: bytes, path: str, settings: Settings, project: Project | None = None, *, explicit: bool
) -> FileReport:
    """Lint the content of a file. Unless it was asked for by name, one that holds no pipeline is not even parsed."""
    module.CELL_MAGICS.set(settings.cell_magics)
    of_interest = _is_of_interest(data)
    depends: frozenset[str] = frozenset()
    project = project or new_project()
    if not of_interest and may_consume(data):
        from tfdata_lint.pipeline.project.reach import imports_data

        of_interest, depends = imports_data(_code(data, path), path, project)
    is_beside = not of_interest and may_hold_loop(data)
    if not of_interest and not is_beside and not explicit:
        return FileReport(path, depends=tuple(sorted(depends)))
    try:
        source = project.sources.load(data, path)
    except Exception as error:
        return FileReport(path, (internal_error("reading the source", path, error),))
    # `problems` is complete once the tree was asked for.
    is_sound = source.tree is not None and not source.problems
    if not of_interest and not (is_beside if is_sound else explicit):
        return FileReport(path, depends=tuple(sorted(depends)))
    return lint(source, settings, project)


def lint(source: Source, settings: Settings, project: Project) -> FileReport:
    """Lint what was read, whatever it holds."""
    from tfdata_lint.lint.examining import about_ends, examine, unsuppressed

    if source.kind == "notebook" and "%%writefile" in "\n".join(source.lines):
        from tfdata_lint.lint import written

        if modules := written.modules_in(source):
            return written.lint(source, modules, settings, project)
    examined = examine(source, settings, project)
    places = examined.placer(source, settings, project)
    diagnostics = [*map(places.diagnostic, examined.findings), *examined.others]
    diagnostics.sort(key=position)
    elsewhere = list(unsuppressed(examined.elsewhere, settings, places))
    return FileReport(
        source.path,
        tuple(diagnostics),
        depends=tuple(sorted(examined.depends)),
        elsewhere=tuple(map(places.diagnostic, elsewhere)),
        of_ends=about_ends(elsewhere),
        continued=tuple(sorted(examined.continued)),
        denied=tuple(sorted(examined.denied)),
        uses_tf_data=examined.graph is not None and any(s.span.file == source.path for s in examined.graph.stages),
    )


def pipelines_of(file: File, project: Project) -> tuple[Source | None, PipelineGraph | None, tuple[Diagnostic, ...]]:
    data = content_of(file)
    if isinstance(data, Diagnostic):
        return None, None, (data,)
    return recover_bytes(data, file.path, project, file.settings, explicit=file.explicit)


def recover_bytes(
    data: bytes, path: str, project: Project | None = None, settings: Settings | None = None, *, explicit: bool
) -> tuple[Source | None, PipelineGraph | None, tuple[Diagnostic, ...]]:
    """The graph of one file's content, with the problems of reading it."""
    settings = settings or Settings()
    module.CELL_MAGICS.set(settings.cell_magics)
    project = project or new_project()
    if not explicit and not is_read(data, path, project):
        return None, None, ()
    try:
        source = module.load(data, path)
        if source.tree is None:
            return source, None, tuple(problems_in(source))
        from tfdata_lint.pipeline.recover import recover_within

        steps = settings.analysis_limit
        graph = recover_within(source, project, steps)
        notes = [unread_rest(graph.ending, steps, source)] if graph.ending else []
        return source, graph, (*problems_in(source), *notes)
    except Exception as error:
        return None, None, (internal_error("recovering its pipelines", path, error),)


def is_read(data: bytes, path: str, project: Project) -> bool:
    """Is a file looked into that nobody has asked for by name?"""
    if may_hold_pipeline(data):
        return True
    from tfdata_lint.pipeline.project.reach import imports_data

    return may_consume(data) and imports_data(_code(data, path), path, project)[0]


def _code(data: bytes, path: str) -> bytes:
    """The Python code in a file, as its imports are looked for: that of the cells of a notebook."""
    if not path.endswith(".ipynb") and b"%run" not in data:
        return data
    try:
        return module.load(data, path).text.encode("utf-8", "surrogatepass")
    except Exception:
        # Why it cannot be read is said when it is linted.
        return data


# ── reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def content_of(file: File) -> bytes | Diagnostic:
    """What a file holds, or why it cannot be read."""
    problem = file.problem
    if problem is None:
        try:
            return content.read(file.path)
        except OSError as error:
            problem = f"cannot read this file: {error.strerror or error}"
    return unreadable(problem, Place(file.path, None, 1, 1, 1, 1), "Nothing in it was checked")


def beside(file: File) -> FileReport:
    """That a file could not be read which says something about others."""
    why = f"cannot read this file: {file.problem}"
    cost = "Other files were checked as if this file did not exist"
    return unread(file, unreadable(why, Place(file.path, None, 1, 1, 1, 1), cost, advice="Repair or remove the file"))


def unread(file: File, problem: Diagnostic) -> FileReport:
    return FileReport(file.path, (problem,) if is_active("TFD000", file.path, file.settings) else ())


def new_project() -> Project:
    from tfdata_lint.pipeline.project.modules import Project

    return Project()


@lru_cache(maxsize=1)  # Of one file it is asked before it is linted, and then.
def _is_of_interest(data: bytes) -> bool:
    # A suppression of ours may be unused, wherever it is.
    return may_hold_pipeline(data) or b"tfdata-lint:" in data or (b"TFD" in data and b"noqa" in data)


def may_matter(data: bytes) -> bool:
    """False for the files that the byte search passes over."""
    return _is_of_interest(data) or may_consume(data) or may_hold_loop(data)
