"""The words that are shared: what kinds of things there are."""

from __future__ import annotations

from typing import Literal

Confidence = Literal["proven", "likely"]


Cost = Literal["trivial", "light", "heavy", "unknown"]


EffectKind = Literal[
    "random",  # tf.random.*, tf.image.random_*: stateful, `seeded` says whether an op seed is given
    "stateless_random",  # tf.random.stateless_*, tf.image.stateless_*
    "generator",  # tf.random.Generator methods
    "random_layer",  # Keras random layers
    "python_random",  # random.*, np.random.*, time.*, uuid.*, datetime.now: once, at tracing
    "side_effect",  # print, append, logging of element values, global/nonlocal/attribute mutation: once, at tracing
    "eager_only",  # .numpy(), open(x), cv2/PIL on the element
    "py_function",  # tf.py_function, tf.numpy_function, tf.compat.v1.py_func
    "variable_read",
    "variable_assign",
    "lookup",  # StaticHashTable.lookup and friends
    "tf_print",
    "stateful_layer",  # Keras layers that hold variables or tables
]


BatchSafety = Literal[
    "elementwise",  # bit-equal on a batch, any rank: the swap is proven
    "approximate",  # equal to float rounding (exp, sigmoid, …)
    "parse",  # exactly one parse_single_example: becomes parse_example
    "shape-bound",  # bit-equal when all elements have one shape (image ops that accept batches)
    "unsafe",
    "unknown",
]


ConsumerKind = Literal[
    "for",  # for x in ds, also through enumerate/zip/tqdm
    "comprehension",
    "iter",
    "next",  # next(iterator), `iterator` says which
    "as_numpy_iterator",
    "as_numpy",  # tfds.as_numpy
    "fit", "evaluate", "predict", "adapt", "train_on_batch",
    "validation",  # fit(validation_data=…)
    "distribute",
    "input_fn",  # returned to an Estimator
    "make_iterator",  # TF 1 make_one_shot_iterator, make_initializable_iterator
    "reduce", "save", "get_single_element", "list", "len", "cardinality",
    "inspection",  # element_spec, take(small k) in a print or plot, next(iter(ds)) outside loops
    "return", "yield",
    "argument",  # handed to code that is not seen
    "stored",  # kept in an attribute or container that is not followed
]  # fmt: skip


Kind = Literal["source", "transformation", "consumer"]


Reads = Literal["", "records", "text", "bytes", "files", "csv"]
