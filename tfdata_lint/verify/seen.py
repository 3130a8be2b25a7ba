"""What advice asks of a pipeline that was seen at work."""

from __future__ import annotations

from collections.abc import Sequence

from tfdata_lint.verify.model import Bottleneck, Node, Pipeline, Place, Run
from tfdata_lint.verify.nodes import TAKEN, ancestors, descendants

#: A stage that was called less often says little, and so few waits do not show that there are no others.
FEWEST_CALLS, FEWEST_WAITS = 6, 4
PARALLEL = ("Parallel", "MapAndBatch")


class Seen:
    """A pipeline with its bottleneck, and what several ask about it."""

    def __init__(self, run: Run, pipeline: Pipeline, found: Bottleneck) -> None:
        self.run = run
        self.pipeline = pipeline
        self.nodes = pipeline.nodes
        self.found = found
        self.node = pipeline.nodes[found.node]
        self.cores = run.environment.cores if run.environment else 0

    @property
    def is_enough(self) -> bool:
        """To say anything: not of what was made beside the pipeline that the code consumes, or hardly ran."""
        consumed = self.pipeline.consumer != "waiting" or all(p.consumer == "waiting" for p in self.run.pipelines)
        return consumed and called(self.nodes, self.found.node) >= FEWEST_CALLS

    @property
    def used(self) -> float | None:
        """Cores that the program had."""
        return self.pipeline.cores_used if self.cores else None

    @property
    def others(self) -> float:
        """And other programs."""
        return self.pipeline.cores_of_others or 0.0

    @property
    def all_cores_busy(self) -> bool:
        """With this program alone."""
        return self.used is not None and self.used >= TAKEN * self.cores

    @property
    def fills_its_thread(self) -> bool:
        """The bottleneck works in one thread, and that has no time left."""
        return (self.node.processor_ms or 0.0) >= TAKEN * self.pipeline.trace_seconds * 1e3 > 0

    def place(self, number: int) -> Place | None:
        """The call that makes a node: of several fused ones the first."""
        stages = self.nodes[number].stages
        return self.run.stage(stages[0]).place if stages else None

    def above(self, number: int) -> list[Node]:
        return [self.nodes[other] for other in ancestors(number, self.nodes)]

    def child(self, number: int) -> Node | None:
        return next((node for node in self.nodes if node.parent == number), None)

    def in_a_pass(self, number: int) -> float | None:
        """How many elements a node gives in a pass; None if none was seen."""
        passes = self.pipeline.passes
        calls = self.nodes[0].calls
        return passes.elements * self.nodes[number].calls / calls if passes and calls else None

    @property
    def work_in_a_pass(self) -> float:
        """How many milliseconds of an epoch the bottleneck works for, however early it begins."""
        each = work(self.node) / (self.node.parallelism or 1) / max(self.node.calls, 1)
        return each * (self.in_a_pass(self.found.node) or 0.0)

    def draws(self, number: int) -> bool:
        """Is what it gives random, by its own function or by one below? A cache would keep the numbers of one epoch."""
        below = (self.nodes[other] for other in (number, *descendants(number, self.nodes)))
        return any(self.run.stage(made).draws for node in below for made in node.stages)

    @property
    def last(self) -> Place | None:
        """The last call that the code made."""
        return next((place for number in range(len(self.nodes)) if (place := self.place(number))), None)


def called(nodes: Sequence[Node], number: int) -> int:
    """How often the function of a stage was called: of a fused map and batch for each element of a batch."""
    node, child = nodes[number], next((node for node in nodes if node.parent == number), None)
    return child.calls if node.op == "MapAndBatch" and child else node.calls


def work(node: Node) -> float:
    """The milliseconds that a node works, as far as that is known."""
    if node.processor_ms is None:
        return 0.0 if node.op.startswith(PARALLEL) else node.self_ms
    return node.processor_ms + sum(node.waiting_ms.values())
