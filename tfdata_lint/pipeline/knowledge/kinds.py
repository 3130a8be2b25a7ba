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
    "iterator",  # takes from an iterator or a dataset of outside that gives something else each time
    "shuffle",  # of stages: draws an order
    "from_generator",  # of stages: runs Python for each element
    "unknown",  # a call or a function of which not everything is known
    "opaque",  # of stages: a start that is not seen
    "overridden",  # a method that another class has otherwise
]

#: What a call of a function does besides computing from its arguments.
Doing = (
    EffectKind
    | Literal[
        "pure",
        "changes",  # changes the container it is a method of
        "logging",  # logs or prints what it is given, or makes something that does
        "python",  # takes Python values: eager only, when it is given an element
    ]
)

#: What a call costs for each element, the most expensive kind first.
Work = Literal[
    "python",  # Python under the GIL
    "layer",  # a layer or a model
    "decode", "read", "spectrum", "image", "colour", "parse", "text", "algebra", "tokens",
    "light",
    "trivial",  # arithmetic, casts, restructuring
]  # fmt: skip
#: How a function treats a batch instead of an element. Lists of operations measured on TensorFlow.
OnBatches = Literal[
    "",
    "same",  # the first argument of any rank, the others settings: same shape, same bits
    "scalars",  # the same, the others scalars
    "cast",  # the same, but for floats that do not fit into a small integer
    "reshaped",  # the same, but another shape, whatever the rank
    "shaped",  # the same, once the shape that is given begins with the size of the batch
    "transposed",  # the same, once the axes that are given are counted behind the batch
    "rounded",  # the same, equal to rounding only
    "operands",  # every argument an operand, as with an operator
    "sum", "product", "power",  # the same, and what TensorFlow may fold with a further one
    "choice",  # the same, if there are three
    "image",  # takes batches of images, bit-equal where all have one size
    "image_dtype",
    "axis",  # with a negative axis, bit-equal
    "axis_rounded",  # the same, equal to rounding only
    "last_axis",  # the same, and the last axis is the default
    "last_axis_rounded",
    "axis_of_list",  # with a negative axis, of a list of tensors
    "table",  # takes from a table, by indices
    "strings",  # joins strings
    "codes",  # a Keras layer, the same on batches where it gives one number for each
    "tokens",  # the same, of texts
    "rescaling", "parse", "csv", "tuple", "dict",
]  # fmt: skip

#: What it makes of what does not depend on the element.
Made = Literal[
    "",
    "scalar",  # of a number a number
    "array",  # of a list an array
    "scalar_or_array",
    "filled",  # of a shape an array
    "number",  # no function, but a number
]

Role = Literal[
    "",
    "options",  # makes options of a dataset
    "partial",  # makes a function of what it is given first
    "copies",
    "mapping",  # makes a dict
    "chooses",  # gives what one of the functions gives that it is given, which take nothing
    "applies",  # makes a layer of the function that it is given
    "compiles",  # makes a `tf.function` of what it is given
    "seeds",  # sets the seed of everything
    "augments",  # changes images at random, if what it is made of does
    "variable",  # makes a variable
    "reduces",  # gives what a function makes of all items, one after the other
    "module",  # imports the module of the name that it is given
    "walks",  # gives what walks the dataset it is given
    "part",  # gives what walks the first elements of the dataset it is given
    "reduces",  # joins the datasets that it is given, two by two
    "arrays",  # works on arrays, never on tensors
    "reads",  # makes a value of the text that it is given
    "holds",  # makes an object with the attributes that it is given
    "zero_is_no_seed",
    "items", "keys", "values",  # calls this method of what it is given
]  # fmt: skip

BatchSafety = Literal[
    "elementwise",  # bit-equal on a batch, any rank: the swap is proven
    "approximate",  # equal to float rounding (exp, sigmoid, …)
    "parse",  # exactly one parse_single_example: becomes parse_example
    "rewritten",  # bit-equal once axes are counted as in batches, and shapes begin with the size of the batch
    "broadcast",  # bit-equal if operands have the ranks that they mostly have
    "shape-bound",  # bit-equal when all elements have one shape (image ops that accept batches)
    "unsafe",
    "unknown",
]

#: What a function that is given batches does with their rows.
Rows = Literal[
    "apart",  # each is treated by itself
    "joined",  # something is made of several neighbours: windows, sequences
    "unknown",
]  # fmt: skip

ConsumerKind = Literal[
    "for",  # for x in ds, also through enumerate/zip/tqdm
    "comprehension",
    "iter",
    "next",  # next(iterator), `iterator` says which
    "walk",  # for x in iterator, also in ds.as_numpy_iterator(), tfds.as_numpy(ds), strategy.….distribute_dataset(ds)
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
