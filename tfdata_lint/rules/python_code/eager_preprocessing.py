"""TFD322."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import displayed
from tfdata_lint.pipeline.nouns.code import last_name, names, own_nodes
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import by_place, is_only_looked_at
from tfdata_lint.pipeline.project.bindings import FUNCTIONS
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.pipeline.python.provenance import filled_with, provenance
from tfdata_lint.pipeline.python.runs import APPLYING, code_in, code_of, loop_around
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.source.trees import statements

_DECODES = (
    r"tf\.(io|image|audio)\.decode_(jpeg|png|image|bmp|gif|webp|wav|and_crop_jpeg)"
    r"|(tf\.)?keras\.(utils|preprocessing\.image)\.load_img"
)
#: A `map` must call these through Python.
_OTHERS = (
    r"cv2\.imread|PIL\.Image\.open|imageio(\.v[23])?\.imread|skimage\.io\.imread|matplotlib\.(pyplot|image)\.imread"
    r"|tifffile\.imread|librosa\.load|librosa\.core\.load|soundfile\.read|scipy\.io\.wavfile\.read|pydicom\.dcmread"
)
_DRAWS = r"tf\.(image\.random_\w+|random\.\w+)"
#: Passes up to which a loop is no work to speak of.
_FEW = 16


class EagerPreprocessing(Rule):
    code = "TFD322"
    name = "eager-preprocessing"
    group = "performance"
    summary = "A Python loop decodes everything before the pipeline starts"
    unmeasured = "The loop runs before the pipeline and is no part of it"
    triggers = ("from_tensor_slices",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            return
        told: set[Span] = set()
        for stages in by_place(graph.stages, "from_tensor_slices"):
            stage = stages[0]
            if any(other.nested_in for other in stages):
                # A stage calls what decodes, for each of its elements.
                continue
            given = stage.arguments.get("tensors")
            if given is None or stage.context.in_test or stage.span.file != graph.file:
                continue
            found = next(_decoding(graph, given.node), None)
            if found is None or is_only_looked_at(graph, stages):
                continue
            file, loop, decodes, called = found
            draws = next((name for name in called if re.fullmatch(_DRAWS, name)), "")
            cost = "One thread decodes all images before the first step, and all of them stay in memory (measured: the"
            cost += " first batch of 400 images came after 0.8 s instead of 0.05 s, all of them 1.5 times as late)"
            if draws:
                cost = f"`{draws}` draws only once, so every epoch trains on the same augmented images"
            # The elements of a dataset have no paths.
            are_records = any(consumer.node is loop for consumer in graph.consumers)
            place = "of the dataset that is read" if are_records else "behind `from_tensor_slices(paths)`"
            # The loop is what is to be changed, once for all that get a part of what it makes.
            span, related = span_of(getattr(loop, "iter", loop), file), Related(stage.span, "gets all of them")
            if file != graph.file:
                span, related = stage.span, Related(span, "decodes one after the other")
            if span in told:
                continue
            told.add(span)
            yield self.finding(
                span,
                f"{'Records' if are_records else 'Files'} are decoded one by one before the pipeline starts, with"
                f" `{decodes}`",
                cost=cost,
                advice=f"Decode in a parallel `map` {place}, followed by a `cache` if what they hold fits into memory",
                severity="advice" if re.fullmatch(_OTHERS, decodes) else None,
                confidence="likely",
                related=(related,),
            )


def _decoding(graph: PipelineGraph, given: ast.expr) -> Iterator[tuple[str, ast.expr | ast.stmt, str, list[str]]]:
    """The loops that fill what is given with decoded files: file, loop, what decodes, and all that they call for it."""
    for syntax, loop, value in _fillings(graph, given):
        called = [displayed(name) for name in _called_for(graph, syntax, loop, value)]
        decodes = next((name for name in called if re.fullmatch(f"{_DECODES}|{_OTHERS}", name)), "")
        if decodes and isinstance(loop, (ast.expr, ast.stmt)):
            yield syntax.file, loop, decodes, called


def _fillings(graph: PipelineGraph, given: ast.expr) -> Iterator[tuple[Syntax, ast.AST, ast.AST]]:
    """The loops over many that fill what a value comes from, each with what it puts there in a pass."""
    for syntax, part in provenance(graph, syntax_of(graph.source), given, is_content=True):
        if isinstance(part, (ast.ListComp, ast.GeneratorExp)) and not _is_handful(part.generators[0].iter):
            yield syntax, part, part.elt
        elif isinstance(part, ast.Call) and last_name(part) in APPLYING:
            yield syntax, part, part
        elif isinstance(part, (ast.Name, ast.Attribute)):
            for value in filled_with(syntax, part):
                loop = loop_around(syntax, value)
                if isinstance(loop, ast.For) and not _is_handful(loop.iter):
                    yield syntax, loop, value


def _called_for(graph: PipelineGraph, syntax: Syntax, loop: ast.AST, value: ast.AST) -> Iterator[str]:
    """The full names of what is called to make a value in a loop, in functions of the project as well."""
    wanted, values, before = names(value), [value], -1
    assigned = [part for part in statements(loop) if isinstance(part, ast.Assign)]
    while len(values) != before:
        before = len(values)
        for step in assigned:
            if step.value not in values and names(*step.targets) & wanted:
                values.append(step.value)
                wanted |= names(step.value)
    todo = [(syntax, part) for part in values]
    # The function that a pool, say, is given.
    for handed in value.args if isinstance(value, ast.Call) else ():
        found = code_of(graph, syntax, handed)
        todo += [(found.syntax, found.function)] if found is not None else []
    for there, part in todo:
        for where, code in code_in(graph, there, part):
            # A function inside of it may be handed to a `map`; where it is called, it is met by itself.
            body: Sequence[ast.AST] = [code]
            if isinstance(code, FUNCTIONS):
                body = code.body
            for call in (inner for inner in own_nodes(body) if isinstance(inner, ast.Call)):
                yield where.scopes.full_name(call.func)


def _is_handful(walked: ast.expr) -> bool:
    """A written list, or a written number of something."""
    match walked:
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
            return True
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(count))]):
            return count <= _FEW
        case ast.Subscript(slice=ast.Slice(upper=ast.Constant(value=int(count)))):
            return count <= _FEW
    return False
