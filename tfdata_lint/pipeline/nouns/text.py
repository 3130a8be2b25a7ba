"""A pipeline in words: `range |> (shuffle if training) |> map[parallel] |> batch`."""

from __future__ import annotations

from collections.abc import Callable

from tfdata_lint.pipeline.nouns.conditions import Condition, Facts
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, JoinBranch, Stage

Label = Callable[[Stage], str]

#: Stages and joins written at most: what branches and meets again and again would be written without end.
MAX_UNITS = 3000
#: Steps taken at most to find where arms meet.
_MAX_STEPS = 100_000
#: Characters of a pipeline that is written inside another one.
_LONGEST = 2_000


def flags(stage: Stage) -> list[str]:
    """What is worth knowing about a stage at a glance: parallel, random, stateful, python."""
    found: list[str] = []
    if ("num_parallel_calls" in stage.arguments or "num_parallel_reads" in stage.arguments) and stage.is_parallel:
        found.append("parallel")
    function = stage.function
    if function is None:
        return found
    if function.is_random:
        found.append("random")
    if function.has("variable_read", "variable_assign", "lookup", "tf_print", "stateful_layer", "iterator"):
        found.append("stateful")
    if function.has("py_function"):
        found.append("python")
    return found


def name_of(stage: Stage) -> str:
    """The operation with its nested pipeline and flags: `interleave{TFRecordDataset}[parallel]`."""
    known: str | None = stage.known.get(name_of)
    if known is None:
        known = stage.op
        if stage.nested is not None:
            inner = one_line(stage.nested)
            # Pipelines inside one another, each of them twice, would be written without end.
            known += "{" + (inner if len(inner) <= _LONGEST else "…") + "}"
        if found := flags(stage):
            known += f"[{', '.join(found)}]"
        stage.known[name_of] = known
    return known


def one_line(dataset: Dataset, label: Label = name_of, facts: Facts | None = None) -> str:
    """The pipeline on one line. `facts` are outcomes of tests that are known: only what they leave open is shown."""
    return " |> ".join(Layout(label, facts).parts(dataset, None))


class Layout:
    """Finds where the arms of a join meet upstream, so that only what differs is written per arm."""

    def __init__(
        self,
        label: Label = name_of,
        facts: Facts | None = None,
        budget: list[int] | None = None,
        loops: tuple[str, ...] = (),
    ) -> None:
        self.label = label
        self.loops = loops
        """When the loops run of which a pass is written."""
        self.budget = budget if budget is not None else [MAX_UNITS, _MAX_STEPS]
        self.facts = facts or Facts()
        self.meets: dict[int, Dataset | None] = {}

    def parts(self, dataset: Dataset, stop: Dataset | None) -> list[str]:
        """The texts of the units from the source (or just after `stop`) to a dataset."""
        return [text for unit in self.units(dataset, stop) if (text := self.text(unit, stop))]

    def units(self, dataset: Dataset, stop: Dataset | None) -> list[Dataset]:
        """The stages and joins from the source (or just after `stop`) to a dataset."""
        return self.chain(dataset, stop=stop)[::-1]

    def chain(self, dataset: Dataset, through: bool = False, stop: Dataset | None = None) -> list[Dataset]:
        """A dataset and its ancestors before `stop`; a join is one unit.

        Ends where several inputs meet, unless it goes `through` the first of them.
        """
        units: list[Dataset] = []
        node: Dataset | None = dataset
        while node is not None and node is not stop and self.budget[1] > 0:
            self.budget[1] -= 1
            if isinstance(node, Join) and len(self.arms(node)) == 1:
                node = self.arms(node)[0].dataset
                continue
            units.append(node)
            if isinstance(node, Join):
                node = self.meet(node)
            else:
                node = node.inputs[0] if len(node.inputs) == 1 or (node.inputs and through) else None
        return units

    def inside(self, branch: JoinBranch) -> Layout:
        """The layout of an arm, in which its conditions hold."""
        return Layout(self.label, self.facts.given(branch.conditions), self.budget, self.loops)

    def inside_pass(self, join: Join) -> Layout:
        """The layout of a pass of a loop."""
        return Layout(self.label, self.facts, self.budget, (*self.loops, branch_text(join.branches[-1])))

    def is_earlier_pass(self, join: Join, stop: Dataset | None) -> bool:
        """Is it what an earlier pass left of a loop that is being written, from `stop` on?"""
        return self.meet(join) is stop and branch_text(join.branches[-1]) in self.loops

    def arms(self, join: Join) -> list[JoinBranch]:
        """The branches that the known outcomes leave open."""
        left = [branch for branch in join.branches if self.facts.allow(branch.conditions)]
        return left or list(join.branches)

    def meet(self, join: Join) -> Dataset | None:
        """The nearest ancestor that all arms share."""
        if id(join) not in self.meets:
            self.meets[id(join)] = None
            first, *others = (self.chain(branch.dataset, join.loop) for branch in self.arms(join))
            shared = [{id(unit) for unit in chain} for chain in others]
            self.meets[id(join)] = next((unit for unit in first if all(id(unit) in ids for ids in shared)), None)
        return self.meets[id(join)]

    def goes_on(self) -> bool:
        """Is another unit written?"""
        self.budget[0] -= 1
        return self.budget[0] >= 0 and self.budget[1] > 0

    def text(self, unit: Dataset, stop: Dataset | None) -> str:
        if not self.goes_on():
            return "…"
        if isinstance(unit, Stage):
            if unit.one_of:
                texts = dict.fromkeys(" |> ".join(self.parts(dataset, None)) for dataset in unit.one_of)
                return f"one of ({' | '.join(texts)})"
            if len(unit.inputs) > 1:
                inputs = (" |> ".join(self.parts(origin, stop)) or "…" for origin in unit.inputs)
                return f"{self.label(unit)}({', '.join(inputs)})"
            return self.label(unit)
        meet = self.meet(unit)
        if unit.loop and meet is not None:
            if self.is_earlier_pass(unit, stop):
                return ""
            return f"({' |> '.join(self.inside_pass(unit).parts(unit.branches[-1].dataset, meet))})*"
        arms = [(" |> ".join(self.inside(branch).parts(branch.dataset, meet)), branch) for branch in self.arms(unit)]
        written = [(text, branch) for text, branch in arms if text]
        if not written:
            return ""
        if not any(branch.conditions for _, branch in arms):
            return "(" + " | ".join(text for text, _ in written) + ")"
        if len(written) == 1:
            text, branch = written[0]
            return f"({text} if {branch_text(branch)})"
        if len(arms) == 2:
            (first, branch), (second, _) = written
            return f"({first} if {branch_text(branch)} else {second})"
        return "(" + " | ".join(_arm(text, branch, branch is arms[-1][1]) for text, branch in written) + ")"


def _arm(text: str, branch: JoinBranch, is_last: bool) -> str:
    if is_last and not any(condition.holds for condition in branch.conditions):
        return text
    return f"{text} if {branch_text(branch)}"


def branch_text(branch: JoinBranch) -> str:
    """When an arm is taken."""
    return conditions_text(branch.conditions) or "otherwise"


def conditions_text(conditions: tuple[Condition, ...]) -> str:
    """Conditions as a reader would say them; what an elif rules out is left out."""
    positive = [condition for condition in conditions if condition.holds]
    return " and ".join(dict.fromkeys(str(condition) for condition in positive or conditions))
