"""TFD608."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.code import last_name, may_fail, nodes_on, rows_with
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.device.initialized import may_be_too_late, too_late

_OF_DEVICES = ("set_memory_growth", "set_visible_devices", "set_logical_device_configuration",
               "set_virtual_device_configuration")  # fmt: skip
_OF_THREADS = ("set_inter_op_parallelism_threads", "set_intra_op_parallelism_threads")
_SETTINGS = re.compile(
    rf"tensorflow\.config\.(?:(?:experimental\.)?(?:{'|'.join(_OF_DEVICES)})|threading\.(?:{'|'.join(_OF_THREADS)}))"
)


class DeviceSettingTooLate(Rule):
    code = "TFD608"
    name = "device-setting-too-late"
    group = "correctness"
    summary = "Devices or threads are configured after TensorFlow has initialized its devices"
    triggers = (" ".join(f"text:{name}" for name in (*_OF_DEVICES, "op_parallelism_threads")),)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        settings = list(_settings(graph)) if may_be_too_late(graph, target) else []
        for name, call, first in too_late(graph, settings):
            if may_fail(graph.tree, call):
                continue
            of_threads = name in _OF_THREADS
            yield self.finding(
                span_of(call, graph.file),
                f"`{name}` is called too late, after `{ast.unparse(first.func)}`",
                cost="TensorFlow raises a RuntimeError: "
                + ("the thread pools already exist" if of_threads else ("the devices can no longer be changed"))
                + ("" if of_threads else ", an error that appears only on machines with such a device"),
                advice="Configure devices and threads right after the imports, before the first tensor, dataset, model,"
                " or strategy",
                confidence="proven" if of_threads else "likely",
                related=(Related(span_of(first, graph.file), "initializes the devices"),),
            )


def _settings(graph: PipelineGraph) -> Iterator[tuple[str, ast.expr]]:
    """The calls that configure devices or threads, by the last part of their names."""
    scopes = syntax_of(graph.source).scopes
    rows = rows_with(graph.source.text, *_OF_DEVICES, *_OF_THREADS)
    for node in nodes_on(graph.tree, rows):
        if isinstance(node, ast.Call) and last_name(node) in (*_OF_DEVICES, *_OF_THREADS):
            name = plain(scopes.full_name(node.func))
            if _SETTINGS.fullmatch(name):
                yield last(name), node
