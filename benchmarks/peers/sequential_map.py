"""TFD102 by shape, as a rule of Fixit. It knows nothing of what is mapped, nor whether it is a dataset at all."""

import libcst as cst
from fixit import LintRule


class SequentialMap(LintRule):
    MESSAGE = "`map` works on one element at a time"

    def visit_Call(self, node: cst.Call) -> None:
        if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "map":
            return
        if not any(argument.keyword and argument.keyword.value == "num_parallel_calls" for argument in node.args):
            self.report(node)
