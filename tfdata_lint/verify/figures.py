"""What each kind of figure says of a finding: nothing is executed here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tfdata_lint import rules
from tfdata_lint.verify.equality import Equality
from tfdata_lint.verify.experiments import Draws, Share, Size
from tfdata_lint.verify.measure import THRESHOLD, Comparison
from tfdata_lint.verify.model import HIGH, MODERATE, Input, Node, Pipeline, Run
from tfdata_lint.verify.nodes import ancestors, descendants, shares_of_time
from tfdata_lint.verify.verdicts import Outcome, Reason, Said, Together

if TYPE_CHECKING:
    from tfdata_lint.rules.base import Finding, Rule
    from tfdata_lint.verify.held import Gone

#: A buffer is oversized from this size on.
OVERSIZED = 100 * 2**20
#: What other programs took is worth a word from this share of the time on.
_MUCH = 0.05
_PARALLEL = ("Parallel", "MapAndBatch")
#: What such a stage does its nested pipelines do; a reader of several files is one.
_NESTING = ("Interleave", "FlatMap")
#: From this gain on work that cannot be left out for a comparison counts as what limits the input; and from the second
#: one whatever others do.
LIMITING, _CLEAR = 1.25, 2.0
#: The user's own code is so little, or so much, of a call.
OVERHEAD, OWN = 0.3, 0.7
#: A larger gain is not told by shares of the time.
_UNTOLD = 10.0
#: Python code that waits for its lock for this part of the time takes it from others, too.
_LOCKED = 0.1
_MORE = ". It takes Python's lock from the step, which is not measured: the gain may be larger"
#: Nobody but us has read these.
_DRAINED = ("returned", "waiting")
#: A cache is filled for so long, at least where passes were seen, and at most.
_MODERATE_S, _FILLING_S = 3.0, 15.0
#: Not each of the first steps is counted.
_UNCOUNTED = 1.1
#: What a cache would hold is counted up to so many bytes.
COUNTED = 2**29
#: Stages that do not compute anything of what a cache gives them.
_AS_IT_IS = {"Root", "Model", "Options", "Prefetch", "Shuffle", "Batch", "ParallelBatch", "PrivateThreadPool"}
#: So many cores of other programs are noise.
_CORES_OF_OTHERS = 0.3
#: A loop takes up to so long for an element that is ready: 0.16 ms were measured.
_HANDED_MS = 0.3
#: Elements that are the same, or of a code that does not repeat itself.
SAME = ("identical", "not-comparable")
#: What a fix that is not safe may make of them, if it says so; that is never written for being proven.
_NEARLY = ("rounded", "fewer-parts")


def rule(finding: Finding) -> Rule:
    found = rules.rule(finding.code)
    assert found is not None
    return found


_UNWAITED = Said("inconclusive", "no-consumption", "Nobody waited for it: the pipeline was only read to its end")


def already(finding: Finding, pipeline: Pipeline, node: Node | None) -> str:
    """How the runtime does by itself what the finding asks for, if it does."""
    done = rule(finding).done_by_runtime
    if done == "buffer" and pipeline.prefetched == "runtime":
        return "The runtime added a buffer between this pipeline and its consumer"
    return runs_parallel(node) if done == "parallel" and node is not None else ""


def runs_parallel(node: Node) -> str:
    """How the runtime executes a stage in parallel, if it does; in words."""
    if not node.op.startswith(_PARALLEL):
        return ""
    if node.autotuned or (node.parallelism or 1) > 1:
        many = f"{node.parallelism} at a time" if node.parallelism else "in parallel"
        return f"The runtime runs it as `{node.op}`, {many}"
    return ""


def compared(finding: Finding, same: Equality, seen: Comparison | None, *, is_bottleneck: bool) -> Said:
    if seen is None:
        return Said("harmful", "not-equivalent", f"With the fix {same}", None, same)
    ratio = _times(seen)
    is_safe = finding.fix is not None and finding.fix.applicability == "safe"
    if same.outcome == "differs" or (is_safe and same.outcome in _NEARLY):
        outcome: Outcome = "harmful" if is_safe else "inconclusive"
        return Said(outcome, "not-equivalent", f"With the fix it is {ratio}, but {same}", seen, same)
    match seen.decision:
        case "faster":
            return Said("confirmed", "speedup", f"With the fix it is {ratio}", seen, same)
        case "slower":
            return Said("harmful", "slowdown", f"With the fix it is {ratio}", seen, same)
        case "not-faster":
            reason: Reason = "below-threshold" if is_bottleneck else "not-bottleneck"
            return Said("refuted", reason, f"With the fix it is {ratio}", seen, same)
    return Said("inconclusive", "noise", f"With the fix it is {ratio}{_could(seen)}", seen, same)


def with_another(both: tuple[Finding, Said], other: tuple[Finding, Said]) -> tuple[Finding, Said]:
    """What a finding has said, or its other fix if that settles more; and what the one gave that is not taken."""
    settles = ("confirmed", "inconclusive", "refuted", "harmful", "not-needed", "not-run").index
    (finding, said), (rest, seen) = sorted((both, other), key=lambda one: settles(one[1].outcome))
    gave = f"it is {_times(seen.comparison)}, and " if seen.comparison else ""
    gave = f"{said.detail}. With another fix ({rest.fix and rest.fix.title}) {gave}{seen.equality}"
    return finding, replace(said, detail=gave)


def is_as_good(several: Together, best: Together) -> bool:
    return (
        several.equality.outcome in SAME
        and several.comparison.decision == "faster"
        and several.comparison.ratio * THRESHOLD >= best.comparison.ratio
    )


def matters(share: float) -> bool:
    """Would something be so much faster as counts, without what takes this share of its time?"""
    return THRESHOLD * (1 - share) <= 1


def own_share(pipeline: Pipeline, node: Node) -> float | None:
    """Of the time, what a stage itself works: all that it could gain. None if it is not known, or if working ahead of
    its consumer could gain more.
    """
    if not pipeline.prefetched or not node.total_ms:
        return None
    return node.share if _nests(node) else node.share * node.self_ms / node.total_ms


def _nests(node: Node) -> bool:
    return any(word in node.op for word in _NESTING)


def beside(pipeline: Pipeline, node: Node) -> Said | None:
    """Of a stage that could work in parallel: by how little of the time it works, if that is all it could gain.

    Where nothing is prefetched, working ahead of its consumer could gain more.
    """
    own = own_share(pipeline, node)
    if own is None or matters(own) or is_bottleneck(pipeline, node):
        return None
    gains = f"without it, the pipeline would not be {THRESHOLD:g} times faster"
    detail = f"Not on the bottleneck: its own work takes {own:.1%} of the time; {gains}"
    return Said("not-needed", "not-bottleneck", detail)


def cached(run: Run, pipeline: Pipeline, stages: Collection[int]) -> Said | None:
    """Of a stage that was not at work while the pipeline was traced, as a cache in memory behind it is full."""
    for node in pipeline.nodes:
        if not node.op.startswith("MemoryCache"):
            continue
        if set(stages) & (run.above(node.stages) - set(node.stages)):
            place = next((run.stage(n).place for n in node.stages if run.stage(n).place), None)
            full = f"the cache on line {place.row}" if place else "a cache"
            return Said("not-needed", "not-bottleneck", f"Not on the bottleneck: it is idle once {full} is full")
    return None


def at_most(waited: Input) -> str:
    return "" if waited.at_most is None else f", {waited.most:.1%} at most ({waited.waits} traced)"


def is_read_once(run: Run, pipeline: Pipeline) -> bool:
    """Does nothing work twice? Not where the run was stopped before, or elements are repeated within a pass."""
    is_over = (pipeline.ended or pipeline.drained or pipeline.repeated) and pipeline.consumer not in _DRAINED
    return is_over and run.reason in ("", "user-error") and not _repeats(pipeline) and pipeline.whole_passes < 2


def in_later_passes(said: Said, pipeline: Pipeline) -> Said:
    """Of work that is done again in later passes, of which none is known to come where the first was not seen whole."""
    is_loop = pipeline.consumer in ("for", "distribute")
    if said.outcome != "confirmed" or not is_loop or pipeline.whole_passes or _repeats(pipeline):
        return said
    detail = f"{said.detail}. That is in a second pass, if there is one: the run was stopped in the first"
    return replace(said, outcome="inconclusive", reason="timeout", detail=detail)


def taken_through(run: Run, pipeline: Pipeline, number: int | None) -> float | None:
    """About how many elements of a cache the code took in all, if it was over and may have begun to repeat them."""
    # To `fit` an epoch is a pass, in which it goes on with what is repeated.
    is_one = pipeline.consumer == "fit" or (pipeline.consumer in ("for", "distribute") and not pipeline.whole_passes)
    if number is None or run.reason or not is_one or not _repeats(pipeline):
        return None
    root, cache = pipeline.nodes[0], pipeline.nodes[number]
    if pipeline.taken is None or not root.calls or cache.op != "MemoryCache":
        return None
    return pipeline.taken * cache.calls / root.calls


def in_repetitions(said: Said, taken: float, size: Size | None) -> Said:
    """Of work that is done again once a cache was read whole: the code may have ended before."""
    if size is None or taken * _UNCOUNTED >= size.elements:
        return said
    read = f"the code ended after about {taken:,.0f} of the {size.elements:,} elements of the cache"
    detail = f"{said.detail}. That is in a second pass: {read}"
    return replace(said, outcome="inconclusive", reason="no-consumption", detail=detail)


def as_observed(said: Said, pipeline: Pipeline, bound: Said | None = None) -> Said:
    """Nothing is refuted where a simulated step, which needs no core, hardly waits for what the true one waits for."""
    seen, share = said.comparison or said.without, pipeline.input.share if pipeline.input else None
    waiting = seen.before.waiting if seen else None
    if said.outcome != "refuted" or waiting is None or share is None or share < HIGH or waiting >= share / 2:
        return said
    if bound and bound.outcome == "not-needed":
        return replace(said, detail=f"{said.detail}. {bound.detail}")
    detail = f"{said.detail}; but with a simulated step it waited for {waiting:.0%} of its time, before for {share:.0%}"
    return replace(said, outcome="inconclusive", reason="noise", detail=detail)


def filling(pipeline: Pipeline) -> float:
    """How many seconds a cache may take to be filled."""
    passes = pipeline.passes
    return min(_FILLING_S, max(_MODERATE_S, 5 * passes.ms / 1e3)) if passes else _FILLING_S


def _repeats(pipeline: Pipeline) -> bool:
    return any("Repeat" in node.op for node in pipeline.nodes)


def part_of(pipeline: Pipeline, stages: Collection[int]) -> float:
    """How much of the input's time these stages work, with all that is nested in them."""
    own = [n for n, node in enumerate(pipeline.nodes) if set(stages) & set(node.stages)]
    inside = {n for top in own if _nests(pipeline.nodes[top]) for n in descendants(top, pipeline.nodes)}
    taken = shares_of_time(pipeline.nodes)
    return sum(taken.get(n, 0.0) for n in {*own, *inside})


def limiting(pipeline: Pipeline, stages: Collection[int]) -> Said:
    """Of work that would be gone, which these stages do with all that is nested in them: by how much of a step waits
    for input, and how much of the input it is. Without it the rest of either is left.
    """
    share = pipeline.input.share if pipeline.input else None
    if share is None:
        return _UNWAITED
    part = part_of(pipeline, stages)
    gain = 1 / max(1 - share, 1 - part, 0.001)
    is_fused = any(node.rewrite == "fused" for node in pipeline.nodes if set(stages) & set(node.stages))
    fused = " (with the stages that the runtime fused with it)" if is_fused else ""
    detail = f"The consumer waits for {share:.0%} of its time, and this is {part:.0%} of the input{fused}"
    if gain <= THRESHOLD:
        detail += f": without it, it would not be {THRESHOLD:g} times as fast"
        return Said("not-needed", "not-bottleneck", detail)
    others = pipeline.cores_of_others or 0.0
    is_busy = others > _CORES_OF_OTHERS
    if share < HIGH or gain < LIMITING or (is_busy and gain < _CLEAR):
        busy = f"; other programs had {others:.1f} cores: measure again when the machine is quiet" if is_busy else ""
        return Said("inconclusive", "noise", f"{detail}: about {gain:.2f} times as fast without it{busy}")
    # The more of the time it is, the less these shares tell how often that is.
    times = f"about {gain:.1f} times as fast" if gain < _UNTOLD else f"{_UNTOLD:g} times as fast or more"
    return Said("confirmed", "limits-input", f"{detail}: {times} without it", share=part)


def left_out(seen: Comparison) -> Said:
    """Of work that was left out: a stage returned its first element again and again."""
    detail = f"Without this work it is {_times(seen)}, measured"
    if seen.decision == "not-faster":
        return Said("refuted", "not-bottleneck", detail, without=seen)
    if seen.low >= LIMITING:
        return Said("confirmed", "limits-input", detail, without=seen)
    return Said("inconclusive", "noise", f"{detail}{_could(seen)}", without=seen)


def takes_lock(finding: Finding, pipeline: Pipeline, stages: Collection[int]) -> bool:
    """Does Python code wait for the interpreter's lock? Then what has it, as the step may, waits for that code, too."""
    if rule(finding).experiment != "share":
        return False
    waited = sum(node.waiting_ms.get("lock", 0.0) for node in pipeline.nodes if set(stages) & set(node.stages))
    return waited >= _LOCKED * pipeline.trace_seconds * 1e3 > 0


def locked(said: Said, bound: Said) -> Said:
    """Of work that slows the step, which is as slow as that when it is simulated without the work."""
    if said.outcome not in ("refuted", "not-needed", "inconclusive") or said.reason == "no-consumption":
        return said
    if bound.outcome == "confirmed":
        return bound
    more = "" if _MORE in said.detail else _MORE
    return replace(said, outcome="inconclusive", reason="noise", detail=said.detail + more)


def own_code(pipeline: Pipeline, stages: Collection[int], whole: str) -> str:
    """What calls for `whole` batches could gain, by the share of a call that the user's own Python code takes."""
    nodes = [node for node in pipeline.nodes if node.own_code and set(stages) & set(node.stages)]
    if len(nodes) != 1 or not nodes[0].own_code:
        return ""
    least, most = nodes[0].own_code
    if most <= OVERHEAD:
        gain = f"up to about {1 / max(most, 0.01):.0f} times"
        return f". Its own code takes {most:.0%} of a call and the rest is overhead: {whole} makes it {gain} as fast"
    if least >= OWN:
        return f". Its own code takes {least:.0%} of a call: {whole} makes it at most {1 / least:.1f} times as fast"
    return ""


def so_far(what: str, seen: Comparison) -> str:
    """Of a comparison that was ended."""
    rounds = f"{seen.rounds} round{'s' * (seen.rounds != 1)}"
    return f"{what.lower()} it was about {seen.ratio:.2f} times as fast in {rounds}, which is not certain"


def _times(seen: Comparison) -> str:
    return f"{seen.ratio:.2f} times as fast ({seen.confidence:.1%} interval {seen.low:.2f} to {seen.high:.2f})"


def _could(seen: Comparison) -> str:
    could = f"; here only a speedup of at least {seen.resolution:.2f} times could be detected"
    if seen.delayed > _MUCH:
        could += f", as other programs may have taken up to {seen.delayed:.0%} of the time"
    return could


def profiled(run: Run, pipeline: Pipeline) -> Said:
    """Of a fetch that stands outside of what a profile takes for the step."""
    share = pipeline.input.share if pipeline.input else None
    if share is None:
        return _UNWAITED
    if not run.profiled:
        return Said("not-needed", "not-shown", "The code started no profile in this run")
    detail = f"The consumer waits for {share:.0%} of its time, outside of the steps that the profile shows"
    step = pipeline.step.median_ms if pipeline.step else 0.0
    if share < MODERATE or (share < HIGH and 0 < step * share < _HANDED_MS):
        return Said("refuted", "below-threshold", f"{detail}: they are hardly too short", share=share)
    if share < HIGH and (pipeline.cores_of_others or 0.0) > _CORES_OF_OTHERS:
        return Said("inconclusive", "noise", f"{detail}; other programs may have made it wait", share=share)
    shown = f": {step * (1 - share):,.1f} ms of {step:,.1f}" if step else ""
    return Said("confirmed", "shown", f"{detail}{shown}", share=share)


def rebuilt(pipeline: Pipeline) -> Said:
    """Of a pipeline that is built for each epoch. What fills a buffer behind its cache would come out of that."""
    passes, nodes = pipeline.passes, pipeline.nodes
    if not passes or not passes.count:
        return Said("not-run", "not-measurable", "No second epoch was seen whole: what building costs is not known")
    above = [{nodes[n].op for n in ancestors(one, nodes)} for one, node in enumerate(nodes) if node.op == "MemoryCache"]
    detail = f"An epoch takes {passes.ms:,.0f} ms, its first step {passes.late_ms:,.0f} ms longer than the others"
    if passes.late >= MODERATE and any("Shuffle" in ops and ops <= _AS_IT_IS for ops in above):
        detail += f", while a new cache is filled: {passes.late:.0%}. What building takes before that was not measured"
        return Said("confirmed", "shown", detail, share=passes.late)
    return Said("inconclusive", "not-measurable", f"{detail}; what building the pipeline takes was not measured")


def step(pipeline: Pipeline) -> Said:
    """Of what the consumer does in its step: that takes the rest of the time."""
    share = pipeline.input.share if pipeline.input else None
    if share is None:
        return _UNWAITED
    takes = f"The step itself takes {1 - share:.0%} of the time"
    if not matters(1 - share):
        return Said("not-needed", "not-bottleneck", f"{takes}: without it, it would not be {THRESHOLD:g} times as fast")
    return Said("inconclusive", "not-measurable", f"{takes}. Only a run of the changed code shows what of it is saved")


def steps(before: Sequence[float], after: Sequence[float]) -> Said:
    """Of steps in ms, in several runs of the code and of the fixed code each: decided where all runs agree."""
    low, high = min(before) / max(after), max(before) / min(after)
    detail = f"With the fix a step takes {_between(after)} instead of {_between(before)} ms, in {len(after)} runs each"
    if low >= LIMITING:
        return Said("confirmed", "speedup", detail)
    if high <= THRESHOLD:
        return Said("refuted", "below-threshold", detail)
    return Said("inconclusive", "noise", detail)


def _between(ms: Sequence[float]) -> str:
    return f"{min(ms):,.1f} to {max(ms):,.1f}"


def without_fix(node: Node | None, which: str = "") -> Said:
    works = min(1.0, node.share * node.self_ms / node.total_ms) if node and node.total_ms else 0.0
    own = f"; its stage itself works for {works:.0%} of the time" if works else ""
    return Said("not-run", "no-fix", f"There is no fix {which}to compare with{own}")


def is_bottleneck(pipeline: Pipeline, node: Node | None) -> bool:
    """Or is not known to be none."""
    if pipeline.bottleneck is None or node is None or pipeline.bottleneck.untraced is not None:
        return True
    return pipeline.nodes[pipeline.bottleneck.node] is node


def frozen(share: Share, one: str, other: str) -> Said:
    detail = f"{share.same} of {share.of} elements of {one} are the same as in {other}"
    if share.of and share.same == share.of:
        return Said("confirmed", "shown", detail, share=1.0)
    if share.same == 0 and share.of:
        return Said("refuted", "not-shown", detail, share=0.0)
    return Said("inconclusive", "noise", detail, share=share.share)


def partition(share: Share) -> Said:
    detail = f"Two processes with the same index have {share.same} of {share.of} elements in common"
    if share.of and share.same == share.of:
        return Said("refuted", "not-shown", detail, share=1.0)
    if not share.whole:
        return Said("inconclusive", "timeout", f"{detail}, of the first", share=share.share)
    missing = "so the shares of different workers overlap and miss elements"
    return Said("confirmed", "shown", f"{detail}, {missing}", share=share.share)


def leak(share: Share | None) -> Said:
    if share is None:
        detail = "The elements of the parts cannot be distinguished, or are too few"
        return Said("inconclusive", "not-measurable", detail)
    detail = f"{share.share:.0%} of the examples of one part ({share.same} of {share.of}) are also in the other part"
    if share.same:
        return Said("confirmed", "shown", detail, share=share.share)
    return Said("refuted", "not-shown", detail, share=0.0)


def drawn(share: Share) -> Said:
    """Of what is scored, which should be the same in each pass."""
    others = share.of - share.same
    detail = f"{others} of {share.of} scored elements differ between the first and a second pass"
    if share.of and not others:
        return Said("refuted", "not-shown", detail, share=0.0)
    if not share.whole or not share.of:
        return Said("inconclusive", "timeout", f"{detail}, of the first", share=1 - share.share)
    return Said("confirmed", "shown", detail, share=1 - share.share)


def partners(share: Share | None) -> Said:
    """Whether what is joined belongs together, elements cannot say; only whether they meet the same others again."""
    if share is None:
        detail = "Too few elements occur once in each of two epochs to compare their partners"
        return Said("inconclusive", "not-measurable", detail)
    others = share.of - share.same
    if others:
        detail = f"{others} of {share.of} elements have a different partner in the second epoch"
        return Said("confirmed", "shown", detail, share=1 - share.share)
    detail = f"All {share.of} elements have the same partner in a second epoch; whether it is the right one is unknown"
    return Said("inconclusive", "not-measurable", detail, share=0.0)


def apart(draws: Draws | None) -> Said:
    """Whether an image and its mask are moved by one draw. Where only the image is, whether it is by a draw at all."""
    if draws is None:
        detail = "What is drawn for the image and for the mask cannot be told apart in the function, or is too little"
        return Said("inconclusive", "not-measurable", detail)
    if draws.same is not None:
        others = draws.of - draws.same
        which = f"{others} of {draws.of} calls of the function"
        detail = f"In {which} another number is drawn for the mask than for the image"
        if others:
            return Said("confirmed", "shown", detail, share=others / draws.of)
        return Said("refuted", "not-shown", detail, share=0.0)
    detail = f"In {draws.of} calls of the function {draws.distinct} different numbers are drawn for the image"
    if draws.distinct < 2:
        return Said("refuted", "not-shown", detail)
    if not draws.kept:
        return Said("inconclusive", "not-measurable", f"{detail}; nothing with pixels leaves it as it came")
    return Said("confirmed", "shown", f"{detail}, and what belongs to it leaves the function as it came")


def layout(run: Run) -> Said:
    """By what the GPU transposes while a model computes."""
    if not (run.environment and run.environment.gpus):
        detail = "TensorFlow sees no GPU here; on a CPU only a run with channels last could tell"
        return Said("inconclusive", "not-measurable", detail)
    computing = (pipeline for pipeline in run.pipelines if pipeline.consumer not in ("returned", "waiting"))
    seen = [(device, pipeline) for pipeline in computing for device in pipeline.devices if device.busy]
    if not seen:
        return Said("not-run", "no-consumption", "No GPU was busy")
    device, pipeline = max(seen, key=lambda both: both[0].transposing)
    step = f" of a step of {pipeline.step.median_ms:,.1f} ms" if pipeline.step else " of the time"
    detail = f"{device.name} transposes tensors for {device.transposing:.1%}{step}"
    if not matters(device.transposing):
        return Said("refuted", "not-shown", detail)
    detail += f", and for {device.converting:.1%} from one layout of channels to the other"
    if not matters(device.converting):
        return Said("inconclusive", "not-measurable", f"{detail}; the rest is unknown")
    return Said("confirmed", "shown", detail)


def held_memory(pipeline: Pipeline, node: int | None) -> Said:
    buffer = next((buffer for buffer in pipeline.buffers if buffer.node == node), None)
    if buffer is None or not buffer.element_bytes or not (buffer.capacity or buffer.elements):
        return Said("inconclusive", "not-measurable", "Its size is unknown")
    size = buffer.element_bytes * (buffer.capacity or buffer.elements or 0)
    detail = f"It may hold {size / 2**20:,.0f} MB"
    return Said("confirmed", "shown", detail) if size >= OVERSIZED else Said("refuted", "below-threshold", detail)


def failed(gone: Gone) -> str:
    """Why there is nothing to compare, and what would settle it."""
    if gone.reason == "timeout":
        return sentence(f"the time was up while {gone}: `--verify-seconds` allows more")
    return sentence(f"comparing failed: {gone}")


def sentence(text: str) -> str:
    line = " ".join(text.split())
    return line[:1].upper() + line[1:]
