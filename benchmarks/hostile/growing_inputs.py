"""Files of any size that a stranger may bring: each `INPUTS[name](size)` is a folder, its files by name."""

from __future__ import annotations

import json
from collections.abc import Callable

Files = dict[str, str]

HEAD = "import tensorflow as tf\n"
PIPELINE = HEAD + "ds = tf.data.TFRecordDataset(files).map(parse).batch(32)\nfor batch in ds:\n    step(batch)\n"
HOROVOD = "import horovod.tensorflow as hvd\nhvd.init()\nopt = hvd.DistributedOptimizer(opt)\n"


def module(row: Callable[[int], str], before: str = HEAD, after: str = PIPELINE) -> Callable[[int], Files]:
    """A module with so many rows."""
    return lambda size: {"train.py": before + "".join(map(row, range(size))) + after}


def filled(piece: str, before: str = HEAD, between: str = "\n", after: str = PIPELINE) -> Callable[[int], Files]:
    """A module with one piece so many times on end."""
    return lambda size: {"train.py": before + piece * size + between + after}


def beside(name: str, text: Callable[[int], str]) -> Callable[[int], Files]:
    """A module with another file beside it, which is of this size."""
    return lambda size: {"train.py": PIPELINE, name: text(size)}


def notebook(*cells: str, repeat: bool = True) -> Callable[[int], Files]:
    def files(size: int) -> Files:
        sources = [PIPELINE, *(cells * size if repeat else cells)]
        written = [
            {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
            for source in sources
        ]
        return {"train.ipynb": json.dumps({"cells": written, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})}

    return files


def setup(row: Callable[[int], str], first: str = "x0 = ['tensorflow>=2.4']\n") -> Callable[[int], Files]:
    """A setup file of which each row is made of the one before."""
    return beside(
        "setup.py",
        lambda size: first + "".join(map(row, range(size))) + f"setup(name='tensorflow', install_requires=x{size})\n",
    )


def many(name: str, text: Callable[[int], str]) -> Callable[[int], Files]:
    """So many files."""
    return lambda size: {name.format(number): text(number) for number in range(size)}


INPUTS: dict[str, Callable[[int], Files]] = {
    # rows
    "blank_rows": filled("\n"),
    "blank_rows_before_noqa": filled("\n", after=PIPELINE + "x = 1  # noqa: TFD101\n"),
    "rows_of_spaces": filled("    \n"),
    "short_rows": filled("x=1\n"),
    "rows_of_one_name": filled("x\n"),
    "statements_in_one_row": filled("x;"),
    "row_of_names": filled("x,", before=HEAD + "y = (", between="x)\n"),
    "row_of_spaces": filled(" ", between="x = 1\n", before=HEAD + "y = 1;"),
    "row_of_one_word": filled("a"),
    "row_of_sums": filled("x+", between="x\n"),
    "long_string": filled("a", before=HEAD + "y = '", between="'\n"),
    "long_text": filled("a\n", before=HEAD + "y = '''", between="'''\n"),
    "long_bytes": filled("\\x00", before=HEAD + "y = b'", between="'\n"),
    "unclosed_string": filled("a", before=HEAD + "y = '", between="\n"),
    "unclosed_text": filled("a\n", before=HEAD + "y = '''", between="\n"),
    "strings": filled("'a' ", before=HEAD + "y = (", between=")\n"),
    "continued_rows": filled("\\\n", before=HEAD + "y = 1 + ", between="1\n"),
    "comments": filled("# nothing\n"),
    "long_comment": filled("#", before=HEAD + "#"),
    "form_feeds": filled("\f\n"),
    "carriage_returns": filled("\r"),
    "byte_order_marks": filled("\ufeff"),
    "wide_letters": filled("\U0001f600", before=HEAD + "# "),
    "decorators": filled("@a\n", between="def f(): pass\n"),
    "imports": module(lambda n: f"import m{n}\n"),
    "imports_from": module(lambda n: f"from m{n} import *\n"),
    "import_of_many": filled("a, ", before=HEAD + "from m import (", between=")\n"),
    "functions": module(lambda n: f"def f{n}(ds):\n    return ds.map(g).batch({n + 1})\n"),
    "functions_unused": module(lambda n: f"def f{n}(x):\n    return x\n"),
    "classes": module(lambda n: f"class C{n}:\n    def f(self, ds):\n        self.x = ds.batch(2)\n"),
    "methods": module(lambda n: f"    def f{n}(self):\n        self.a{n} = self.a{n - 1}\n", HEAD + "class C:\n"),
    "attributes": filled(".a", before=HEAD + "x = y", between="\n"),
    "attributes_assigned": module(lambda n: f"self.a{n} = self.a{n}\n"),
    "stages": filled(".map(f)", before=HEAD + "ds = tf.data.Dataset.range(3)", between="\n"),
    "stages_in_rows": module(lambda n: "ds = ds.map(f)\n", HEAD + "ds = tf.data.Dataset.range(3)\n"),
    "pipelines": module(lambda n: f"d{n} = tf.data.TFRecordDataset(files).map(f).shuffle(10).batch(2)\n"),
    "consumers": module(lambda n: "for b in ds:\n    step(b)\n", PIPELINE),
    "dataset_for_every_stage": module(lambda n: "ds.map(f)\n", PIPELINE),
    "variables": module(lambda n: f"v{n} = tf.Variable(0)\n", HEAD, PIPELINE + "v0.assign(1)\n"),
    "assigns": module(lambda n: f"v{n}.assign(1)\n"),
    "globals": module(lambda n: f"def g{n}():\n    global a{n}\n    a{n} = 1\n"),
    "global_names": filled("a, ", before=HEAD + "def g():\n    global ", between="b\n"),
    "flags": filled("DEFINE_integer(", before=HEAD),
    "flags_given": module(lambda n: f"flags.DEFINE_integer('a{n}', {n}, '')\n"),
    "strings_formatted": filled("{a}", before=HEAD + "y = f'", between="'\n"),
    "numbers": filled("1", before=HEAD + "y = ", between="\n"),
    "list_of_numbers": filled("1,", before=HEAD + "y = [", between="]\n"),
    "dict_of_numbers": module(lambda n: f"{n}: {n},", HEAD + "y = {", "}\n" + PIPELINE),
    "dict_doubled": module(lambda n: f"d{n + 1} = {{**d{n}, **d{n}, 'k{n}': d{n}}}\n", HEAD + "d0 = {'a': 1}\n"),
    "strings_doubled": module(lambda n: f"s{n + 1} = s{n} + s{n}\n", HEAD + "s0 = 'ab'\n"),
    "strings_multiplied": module(lambda n: f"s{n + 1} = s{n} * 10**9\n", HEAD + "s0 = 'ab'\n"),
    "powers": module(lambda n: f"n{n + 1} = n{n} ** n{n}\n", HEAD + "n0 = 9\n", "ds = tf.data.Dataset.range(n9)\n"),
    "powers_in_arguments": filled("**9", before=HEAD + "ds = tf.data.Dataset.range(9", between=")\n"),
    "shifts": module(lambda n: f"n{n + 1} = 1 << n{n}\n", HEAD + "n0 = 9\n", "ds = tf.data.Dataset.range(n9)\n"),
    "ranges": module(lambda n: f"r{n} = list(range(10**{n + 1}))\n", HEAD, PIPELINE + "ds = ds.batch(len(r9))\n"),
    "formats": module(lambda n: f"s{n + 1} = '{{:1000000000}}'.format(s{n})\n", HEAD + "s0 = ''\n"),
    "percent_formats": module(lambda n: f"s{n + 1} = '%1000000000d' % n\n", HEAD + "s0 = ''\n"),
    # nests
    "brackets": filled("[", between="]\n"),
    "brackets_closed": lambda size: {"train.py": f"{HEAD}x = {'[' * size}{']' * size}\n{PIPELINE}"},
    "brackets_in_turns": filled("([{", between="\n"),
    "brackets_open": filled("[\n"),
    "brackets_closing": filled(")"),
    "calls_unclosed": filled("f('a', ", between="\n"),
    "brackets_and_quotes": filled("['(", between="\n"),
    "brackets_pairs": filled("()", between="\n"),
    "brackets_wrong": filled("(]", between="\n"),
    "quotes": filled("'", between="\n"),
    "quotes_double": filled('"', between="\n"),
    "quotes_three": filled("''' '", between="\n"),
    "quotes_apart": filled("' ", between="\n"),
    "backslashes": filled("\\", between="\n"),
    "backslash_quotes": filled("\\'", before=HEAD + "x = '", between="\n"),
    "unary": filled("-", between="1\n", before=HEAD + "x = "),
    "nots": filled("not ", between="1\n", before=HEAD + "x = "),
    "ifs": lambda size: {
        "train.py": HEAD + "".join(f"{' ' * n}if x:\n" for n in range(size)) + " " * size + "pass\n" + PIPELINE
    },
    "elifs": module(lambda n: f"elif x == {n}:\n    ds = ds.batch({n + 2})\n", PIPELINE + "if x:\n    pass\n", ""),
    "conditional": filled("x if y else ", before=HEAD + "z = ", between="x\n"),
    "lambdas": filled("lambda: ", before=HEAD + "z = ", between="x\n"),
    "comparisons": filled("a < ", before=HEAD + "z = ", between="x\n"),
    "ands": filled("a and ", before=HEAD + "z = ", between="x\n"),
    "calls": lambda size: {"train.py": f"{HEAD}x = {'f(' * size}1{')' * size}\n{PIPELINE}"},
    "calls_on_end": filled("()", before=HEAD + "x = f", between="\n"),
    "subscripts": filled("[0]", before=HEAD + "x = f", between="\n"),
    "targets": filled("x = ", before=HEAD, between="1\n"),
    "arguments": module(lambda n: f"a{n}=1, ", HEAD + "f(", ")\n" + PIPELINE),
    "parameters": module(lambda n: f"a{n}, ", HEAD + "def f(", "):\n    pass\n" + PIPELINE + "ds = ds.map(f)\n"),
    "formatted_nest": lambda size: {"train.py": HEAD + "x = " + "f'{" * size + "1" + "}'" * size + "\n" + PIPELINE},
    # what cannot be read
    "error_at_the_end": filled("x = 1\n", after=PIPELINE + "x = = 1\n"),
    "error_in_the_first_row": filled("x = 1\n", before="x = = 1\n" + HEAD),
    "errors": filled("x = = 1\n"),
    "error_behind_text": filled("a\n", before=HEAD + "y = '''", between="''' = = 1\n"),
    "error_in_a_call": filled("x,\n", before=HEAD + "y = f(", between=") = = 1\n"),
    "error_in_functions": module(lambda n: f"def f{n}():\n    return 1\n", HEAD, PIPELINE + "x = = 1\n"),
    "newer_syntax": module(lambda n: f"type A{n} = int\n"),
    "newer_syntax_in_functions": module(lambda n: f"def f{n}[T](x: T):\n    type A = int\n    return x\n"),
    "newer_strings": module(lambda n: f"x{n} = f'{{d['a']}}'\n"),
    "newer_templates": module(lambda n: f"x{n} = t'{{a}}'\n"),
    "newer_except": module(lambda n: "try:\n    f()\nexcept A, B:\n    pass\n"),
    "python_2": module(lambda n: f"print 'a{n}'\n"),
    "python_2_behind_spaces": filled(" ", before=HEAD + "except a", between="\n"),
    "left_out": module(lambda n: f"x{n} =\n", HEAD, PIPELINE + "y =  # todo\n"),
    "left_out_of_spaces": filled(" ", before=HEAD + "y = = 1\nx =", between="\n"),
    "left_out_of_equals": filled("= ", before=HEAD + "x ", between="# no\n"),
    "left_out_of_returns": filled("return ", before=HEAD + "x = = ", between="# no\n"),
    "left_out_comments": filled("#", before=HEAD + "x = = ", between="\n"),
    "left_out_comments_and_equals": filled("=#", before=HEAD + "x = = ", between="\n"),
    "deep_error": lambda size: {
        "train.py": HEAD + "".join(f"{' ' * n}if x:\n" for n in range(size)) + " " * size + "x = = 1\n" + PIPELINE
    },
    "indentation": filled("  x\n x\n"),
    "deep_statements": filled("x = " + "-" * 5000 + "1\n"),
    "bad_bytes": filled("\udcff"),
    "nul": filled("\0"),
    "cookie": filled("#", before="", between="coding=latin-1\n"),
    "cookies": filled("coding:", before="#", between="\n"),
    # suppressions
    "noqas": filled("x = 1  # noqa\n"),
    "noqas_of_ours": filled("x = 1  # noqa: TFD101\n"),
    "noqas_in_one_row": filled("# noqa ", between="\n"),
    "noqas_of_ours_in_one_row": filled("# noqa: TFD101 ", between="\n"),
    "noqas_with_letters": filled("# noqa: A", between="\n"),
    "codes": filled("TFD101,", before=HEAD + "x = 1  # noqa: ", between="\n"),
    "codes_apart": filled("TFD101 ", before=HEAD + "x = 1  # noqa: ", between="\n"),
    "codes_far_apart": filled(" ", before=HEAD + "x = 1  # noqa: TFD101", between="x\n"),
    "codes_then_spaces": filled("TFD101  ,  ", before=HEAD + "x = 1  # noqa: ", between="x\n"),
    "code_long": filled("A", before=HEAD + "x = 1  # noqa: ", between="1\n"),
    "code_of_digits": filled("1", before=HEAD + "x = 1  # noqa: A", between="x\n"),
    "code_digits_and_letters": filled("A1", before=HEAD + "x = 1  # noqa: ", between="x\n"),
    "ignores": filled("x = 1  # tfdata-lint: ignore[TFD101]\n"),
    "ignores_unclosed": filled("# tfdata-lint: ignore["),
    "ignores_unclosed_in_rows": filled("# tfdata-lint: ignore[\n"),
    "ignores_in_one_row": filled("# tfdata-lint: ignore[TFD101] "),
    "ignores_malformed": filled("x = 1  # tfdata-lint: disable=TFD101\n"),
    "ignores_malformed_in_one_row": filled("# tfdata-lint: off "),
    "ignores_of_spaces": filled(" ", before=HEAD + "# tfdata-lint:", between="\n"),
    "ignores_of_spaces_then_codes": filled(" ", before=HEAD + "# tfdata-lint: ignore", between="TFD\n"),
    "ignores_of_codes": filled("TFD101,", before=HEAD + "# tfdata-lint: disable=", between="\n"),
    "ignores_of_codes_in_rows": filled("# tfdata-lint: disable=TFD101,TFD102,\n"),
    "ignores_of_letters": filled("a", before=HEAD + "# tfdata-lint: ", between=" b\n"),
    "ignores_of_dashes": filled("-", before=HEAD + "# tfdata-lint: off ", between="\n"),
    "ignore_files": filled("# tfdata-lint: ignore-file\n"),
    "ignore_files_of_codes": module(lambda n: f"# tfdata-lint: ignore-file[TFD{n}]\n"),
    "hashes": filled("# ", before=HEAD + "x = 1  # noqa", between="\n"),
    "hash_spaces": filled(" ", before=HEAD + "x = 1  #", between="noq\n"),
    "hashes_and_spaces": filled("#  ", before=HEAD + "x = 1  # tfdata-lint", between="\n"),
    "noqas_in_text": filled("# noqa: TFD101\n", before=HEAD + "y = '''", between="'''\n"),
    "noqas_in_brackets": filled("1,  # noqa: TFD101\n", before=HEAD + "y = (", between=")\n"),
    "findings_suppressed": module(lambda n: "for b in ds.map(f):  # noqa: TFD101\n    step(b)\n", PIPELINE),
    "findings": module(lambda n: "for b in ds.map(f):\n    step(b)\n", PIPELINE),
    # words
    "horovod_word": filled("a", before=HEAD + HOROVOD + "x = ", between="\n"),
    "horovod_rank": filled("rank", before=HEAD + HOROVOD + "x = ", between="\n"),
    "horovod_dots": filled("a.", before=HEAD + HOROVOD + "x = ", between="a\n"),
    "horovod_ifs": filled("if ", before=HEAD + HOROVOD + "# ", between="a\n"),
    "horovod_spaces": filled(" ", before=HEAD + HOROVOD + "# if hvd.rank()", between="a\n"),
    "horovod_if_spaces": filled(" ", before=HEAD + HOROVOD + "# if", between="a\n"),
    "horovod_zeros": filled("0 ", before=HEAD + HOROVOD + "# ", between="a\n"),
    "horovod_environ": filled("environ[", before=HEAD + HOROVOD + "# ", between="a\n"),
    "self_names": filled("self.a, ", before=HEAD, between="self.a\n"),
    "self_names_open": filled("self.a\n"),
    "self_assigned": filled("self.a: ", before=HEAD + "# ", between="self.a\n"),
    "import_words": filled("import tensorflow as ", before=HEAD + "# ", between="a\n"),
    "import_names": filled("import a, ", before=HEAD + "# ", between="a\n"),
    "import_spaces": filled(" ", before=HEAD + "import tensorflow", between="\n"),
    "froms": filled("from a import (\n", before=HEAD, between="\n"),
    "from_spaces": filled(" ", before=HEAD + "from a import b", between="\n"),
    "import_module_spaces": filled(" ", before=HEAD + "import_module(1)\na", between="\n"),
    "globals_calls": filled("globals()", before=HEAD + "x = ", between="\n"),
    "globals_brackets": filled("globals()[", before=HEAD + "x = ", between="\n"),
    "setattrs": filled("setattr(", before=HEAD + "x = ", between="\n"),
    "setattr_names": filled("a.", before=HEAD + "setattr(", between="\n"),
    "vars_brackets": filled("vars(a)[", before=HEAD + "x = ", between="\n"),
    "data_attributes": filled("a.data ", before=HEAD + "# ", between="\n"),
    "in_enumerates": filled(" in enumerate(", before=HEAD + "# ", between="\n"),
    "maps_of_one": filled("a.map(", before=HEAD + "# ", between="\n"),
    "assignments_of_many": filled("a, ", before=HEAD + "for b in a:\n    a = 1\n", between="= 1\n"),
    "data_format": filled(" ", before=HEAD + "data_format", between="\n"),
    "words_of_sessions": filled("sess.run(", before=HEAD + "# tf.Session(", between="\n"),
    "underscores": filled("_", before=HEAD + "from_generator = 1\nx = ", between="\n"),
    "capitals": filled("Aa", before=HEAD + "x = tf.data.Dataset.zip((", between=", b))\n"),
    "words_of_images": filled("image_", before=HEAD + "images, ", between=" = 1, 2\n"),
    "numbers_and_x": filled("10 x ", before=HEAD + "# shape(", between="\n"),
    "shapes_open": filled("shape(", before=HEAD + "# ", between="\n"),
    "name_of_model": filled("_", before=HEAD + "for x in ds.map(f):\n    a", between="model(x)\n", after=""),
    "splits": filled(
        "a", before=HEAD + "import tensorflow_datasets as tfds\nds = tfds.load('m', split='", between="')\n"
    ),
    "splits_joined": filled(
        "train[:1%]+",
        before=HEAD + "import tensorflow_datasets as tfds\nds = tfds.load('m', split='",
        between="test')\n",
    ),
    # notebooks
    "cells": notebook("x = 1\n"),
    "cells_empty": notebook(""),
    "cells_half_broken": notebook("x = 1\ny = = 2\n"),
    "cells_broken": notebook("x = (\n"),
    "cells_crossing": notebook("def f():\n", "    pass\n"),
    "cells_of_magics": notebook("%matplotlib inline\nx = 1\n!ls\n"),
    "cells_of_other_languages": notebook("%%bash\nls\n"),
    "cells_of_newer_syntax": notebook("type A = int\nx = 1\n"),
    "cells_of_each_kind": notebook(
        "x = (",
        "'''",
        "x = 'a",
        "if x:",
        "  x",
        "%%time\n",
        "%time x =",
        "?",
        "x = !ls \\",
        "def f(a, (b, c)):",
        "print 'a'",
        "x = \0",
        "@",
        "%sql",
        "x = # todo",
        "f'{",
        "\\",
        "]",
        "x??",
        "%%bash",
    ),
    "cell_of_magics": lambda size: notebook("%matplotlib inline\n" * size, repeat=False)(size),
    "cell_of_cell_magics": lambda size: notebook("%%time\n" * size + "x = 1\n", repeat=False)(size),
    "cell_of_shell": lambda size: notebook("!ls \\\n" * size, repeat=False)(size),
    "cell_of_help": lambda size: notebook("x" * size + "?\n", repeat=False)(size),
    "cell_of_stars": lambda size: notebook("*" * size + "\n!ls\n", repeat=False)(size),
    "cell_of_word": lambda size: notebook("!ls\n" + "a" * size + "\n", repeat=False)(size),
    "cell_of_words": lambda size: notebook("!ls\n" + "a " * size + "\n", repeat=False)(size),
    "cell_of_spaces": lambda size: notebook("!ls\n" + " " * size + "x\n", repeat=False)(size),
    "cell_of_equals": lambda size: notebook("a =" + " " * size + "x\n", repeat=False)(size),
    "cell_of_many_equals": lambda size: notebook("a" + "= " * size + "x\n", repeat=False)(size),
    "cell_of_questions": lambda size: notebook("?" * size + "x\n", repeat=False)(size),
    "cell_of_question_spaces": lambda size: notebook("x = y ?" + " " * size + "x\n", repeat=False)(size),
    "cell_of_blank_rows": lambda size: notebook("\n" * size + "!ls\n", repeat=False)(size),
    "cell_of_blank_magic_rows": lambda size: notebook(" \n" * size + "%time x\n", repeat=False)(size),
    "cell_of_automagic": lambda size: notebook("pip" + " " * size, repeat=False)(size),
    "cell_of_automagic_rows": lambda size: notebook("pip x" + "\n" * size + "x", repeat=False)(size),
    "cell_of_pip_spaces": lambda size: notebook("pip " + "x " * size + "\nx", repeat=False)(size),
    "cell_of_rows_by_row": lambda size: {
        "train.ipynb": json.dumps(
            {"cells": [{"cell_type": "code", "source": [HEAD, *["x = 1\n"] * size, PIPELINE]}], "metadata": {}}
        )
    },
    "json_of_lists": lambda size: {"train.ipynb": '{"cells": [' + "[]," * size + '[]], "a": "tensorflow tf.data"}'},
    "json_of_objects": lambda size: {"train.ipynb": '{"cells": [' + "{}," * size + '{}], "a": "tensorflow tf.data"}'},
    "json_deep": lambda size: {"train.ipynb": '{"a": "tensorflow tf.data", "cells": ' + "[" * size},
    "json_deep_closed": lambda size: {
        "train.ipynb": '{"a": "tensorflow tf.data", "cells": ' + "[" * size + "]" * size + "}"
    },
    "json_number": lambda size: {"train.ipynb": '{"a": "tensorflow tf.data", "cells": [], "n": ' + "1" * size + "}"},
    "json_keys": lambda size: {
        "train.ipynb": '{"a": "tensorflow tf.data", "cells": [], ' + ",".join(f'"k{n}": 1' for n in range(size)) + "}"
    },
    "json_rows": lambda size: {"train.ipynb": '{"a": "tensorflow tf.data", "cells": ' + "\n" * size + "!}"},
    "json_outputs": lambda size: {
        "train.ipynb": json.dumps(
            {"cells": [{"cell_type": "code", "source": PIPELINE, "outputs": [{"image/png": "a" * size}]}]}
        )
    },
    "json_escapes": lambda size: notebook("x = '" + "\u2028\t\\" * size + "'\n", repeat=False)(size),
    # the project
    "setup_doubled": setup(lambda n: f"x{n + 1} = x{n} + x{n}\n"),
    "setup_multiplied": setup(lambda n: f"x{n + 1} = x{n} * 10**9\n"),
    "setup_joined": setup(lambda n: f"x{n + 1} = ''.join([x{n}, x{n}])\n"),
    "setup_formatted": setup(lambda n: f"x{n + 1} = '{{0}}{{0}}'.format(x{n})\n"),
    "setup_percent": setup(lambda n: f"x{n + 1} = '%s%s' % (x{n}, x{n})\n"),
    "setup_merged": setup(lambda n: f"x{n + 1} = {{'a': x{n}, 'b': x{n}}}\n"),
    "setup_lists": setup(lambda n: f"x{n + 1} = [x{n}, x{n}]\n"),
    "setup_chosen": setup(lambda n: f"x{n + 1} = x{n} if a else x{n}\n"),
    "setup_circular": beside(
        "setup.py",
        lambda size: (
            "".join(f"x{n} = x{(n + 1) % size} + x{(n + 2) % size}\n" for n in range(size))
            + "setup(install_requires=x0 + ['tensorflow'])\n"
        ),
    ),
    "setup_extended": setup(lambda n: f"x{n + 1} = []\nx{n + 1}.extend(x{n})\nx{n + 1}.extend(x{n})\n"),
    "setup_subscripts": setup(
        lambda n: f"x{n + 1} = {{'a': x{n}['a'] + x{n}['a']}}\n", "x0 = {'a': ['tensorflow>=2.4']}\n"
    ),
    "setup_of_one_name": beside(
        "setup.py", lambda size: "x = ['tensorflow>=2.4']\n" + "x += x\n" * size + "setup(install_requires=x)\n"
    ),
    "setup_calls": beside("setup.py", lambda size: "x = ['tensorflow>=2.4']\n" + "setup(install_requires=x)\n" * size),
    "setup_chain": setup(lambda n: f"x{n + 1} = x{n}\n"),
    "setup_sums": beside("setup.py", lambda size: "setup(install_requires=['tensorflow']" + " + ['a']" * size + ")\n"),
    "setup_words": beside("setup.py", lambda size: "tensorflow\n" * size + "= =\n"),
    "requirement_equals": beside("requirements.txt", lambda size: "tensorflow" + "=" * size + "\n"),
    "requirement_spaces": beside("requirements.txt", lambda size: "tensorflow" + " " * size + "x\n"),
    "requirement_brackets": beside("requirements.txt", lambda size: "tensorflow" + "[" * size + "x\n"),
    "requirement_bracket": beside("requirements.txt", lambda size: "tensorflow[" + "a" * size + "\n"),
    "requirement_digits": beside("requirements.txt", lambda size: "tensorflow==" + "1" * size + "\n"),
    "requirement_dots": beside("requirements.txt", lambda size: "tensorflow==" + "1." * size + "\n"),
    "requirement_bars": beside("requirements.txt", lambda size: "tensorflow==1" + "|" * size + "\n"),
    "requirement_commas": beside("requirements.txt", lambda size: "tensorflow" + ">=1.0," * size + "\n"),
    "requirement_alternatives": beside("requirements.txt", lambda size: "tensorflow" + ">=2.0||" * size + "\n"),
    "requirement_letters": beside("requirements.txt", lambda size: "tensorflow==" + "a" * size + "\n"),
    "requirement_name": beside("requirements.txt", lambda size: "a-" * size + "\n"),
    "requirement_vs": beside("requirements.txt", lambda size: "tensorflow==" + "v" * size + "\n"),
    "requirement_stars": beside("requirements.txt", lambda size: "tensorflow==" + "=>" * size + "\n"),
    "requirements": beside("requirements.txt", lambda size: "tensorflow>=2.4\n" * size),
    "requirements_blank": beside("requirements.txt", lambda size: "\n" * size),
    "requirements_of_themselves": beside("requirements.txt", lambda size: "-r requirements.txt\n" * size),
    "requirements_of_absent": beside("requirements.txt", lambda size: "".join(f"-r a{n}.txt\n" for n in range(size))),
    "requirements_option": beside("requirements.txt", lambda size: "-r" + " =" * size + "\n"),
    "requirements_chain": lambda size: {
        "train.py": PIPELINE,
        "requirements.txt": "-r requirements0.txt\n",
        **{f"requirements{n}.txt": f"-r requirements{n + 1}.txt\n-r requirements{n // 2}.txt\n" for n in range(size)},
    },
    "pyproject_of_others": beside(
        "pyproject.toml", lambda size: "[project]\ndependencies = [" + '"tensorflow",' * size + "]\n"
    ),
    "pyproject_deep": beside("pyproject.toml", lambda size: "# tensorflow tfdata\na = " + "[" * size + "]" * size),
    "pyproject_deep_tables": beside(
        "pyproject.toml", lambda size: "# tensorflow tfdata\n[" + ".".join(["a"] * size) + "]\n"
    ),
    "pyproject_tables": beside(
        "pyproject.toml", lambda size: "# tensorflow tfdata\n" + "".join(f"[a{n}]\nb = 1\n" for n in range(size))
    ),
    "pyproject_arrays": beside("pyproject.toml", lambda size: "# tensorflow tfdata\n" + "[[a]]\nb = 1\n" * size),
    "pyproject_nested_arrays": beside(
        "pyproject.toml",
        lambda size: "# tensorflow tfdata\n" + "".join(f"[[{'.'.join('a' * (n + 1))}]]\n" for n in range(size)),
    ),
    "pyproject_long_keys": beside("pyproject.toml", lambda size: "# tensorflow tfdata\n" + "a." * size + "b = 1\n"),
    "pyproject_many_long_keys": beside(
        "pyproject.toml",
        lambda size: "# tensorflow tfdata\n" + "".join(f"{'a.' * 200}b{n} = 1\n" for n in range(size)),
    ),
    "pyproject_number": beside("pyproject.toml", lambda size: "# tensorflow tfdata\na = " + "1" * size + "\n"),
    "pyproject_underscores": beside("pyproject.toml", lambda size: "# tensorflow tfdata\na = " + "1_" * size + "\n"),
    "pyproject_string": beside("pyproject.toml", lambda size: '# tensorflow tfdata\na = """' + '"\\\n' * size),
    "pyproject_spaces": beside("pyproject.toml", lambda size: "# tfdata\n" + " " * size + "x\n"),
    "pyproject_blank_rows": beside("pyproject.toml", lambda size: "# tfdata\n" + "\n" * size + "[a]\n"),
    "pyproject_inline": beside("pyproject.toml", lambda size: "# tfdata tensorflow\na = " + "{a = " * size),
    "settings_keys": beside(
        "pyproject.toml", lambda size: "[tool.tfdata-lint]\n" + "".join(f"key{n} = 1\n" for n in range(size))
    ),
    "settings_rules": beside(
        "pyproject.toml",
        lambda size: "[tool.tfdata-lint]\nselect = [" + ",".join(f'"TFD{n}x"' for n in range(size)) + "]\n",
    ),
    "settings_same_rule": beside(
        "pyproject.toml", lambda size: "[tool.tfdata-lint]\nselect = [" + '"TFD101",' * size + "]\n"
    ),
    "settings_long_rule": beside(
        "pyproject.toml", lambda size: '[tool.tfdata-lint]\nselect = ["' + "TFD1" * size + '"]\n'
    ),
    "settings_long_key": beside("pyproject.toml", lambda size: "[tool.tfdata-lint]\n" + "a" * size + " = 1\n"),
    "settings_excludes": beside(
        "pyproject.toml",
        lambda size: "[tool.tfdata-lint]\nexclude = [" + ",".join(f'"a{n}*"' for n in range(size)) + "]\n",
    ),
    "settings_excludes_of_stars": beside(
        "pyproject.toml", lambda size: '[tool.tfdata-lint]\nexclude = ["' + "*a" * size + '*b"]\n'
    ),
    "settings_excludes_of_folders": beside(
        "pyproject.toml", lambda size: '[tool.tfdata-lint]\nexclude = ["' + "**/a/" * size + 'b"]\n'
    ),
    "settings_ignores_of_stars": beside(
        "pyproject.toml",
        lambda size: '[tool.tfdata-lint.per-file-ignores]\n"' + "*a" * size + '*b" = ["TFD101"]\n',
    ),
    "settings_ignores": beside(
        "pyproject.toml",
        lambda size: "[tool.tfdata-lint.per-file-ignores]\n" + "".join(f'"a{n}*" = ["TFD101"]\n' for n in range(size)),
    ),
    "settings_ignores_of_classes": beside(
        "pyproject.toml",
        lambda size: '[tool.tfdata-lint.per-file-ignores]\n"' + "[a-z]*" * size + '0" = ["TFD101"]\n',
    ),
    "settings_ignores_of_folders": lambda size: {
        "a/" * 20 + "a" * 40 + ".py": PIPELINE,
        "pyproject.toml": '[tool.tfdata-lint.per-file-ignores]\n"' + "**/" * size + 'b" = ["TFD101"]\n',
    },
    "settings_limit": beside(
        "pyproject.toml", lambda size: f"[tool.tfdata-lint]\nanalysis-limit = {10 ** min(size, 4000)}\n"
    ),
    "settings_arguments": beside(
        "pyproject.toml", lambda size: "[tool.tfdata-lint.verify]\n" + "".join(f"a{n} = 1\n" for n in range(size))
    ),
    "gitignore_rows": beside(".gitignore", lambda size: "".join(f"a{n}\n" for n in range(size))),
    "gitignore_stars": beside(".gitignore", lambda size: "".join(f"*a{n}*\n" for n in range(size))),
    "gitignore_paths": beside(".gitignore", lambda size: "".join(f"a{n}/*.py\n" for n in range(size))),
    "gitignore_endings": beside(".gitignore", lambda size: "".join(f"*.a{n}\n" for n in range(size))),
    "gitignore_matching": beside(".gitignore", lambda size: "*.py\n!*.py\n" * size),
    "gitignore_star": lambda size: {"a" * 60 + ".py": PIPELINE, ".gitignore": "*a" * size + "*b\n"},
    "gitignore_star_path": lambda size: {"a" * 60 + ".py": PIPELINE, ".gitignore": "/" + "*a" * size + "*b\n"},
    "gitignore_star_folder": lambda size: {
        "a/" * 10 + "a" * 60 + ".py": PIPELINE,
        ".gitignore": "**/a" * size + "/*b\n*.py\n!*.py\n",
    },
    "gitignore_classes": lambda size: {"a" * 60 + ".py": PIPELINE, ".gitignore": "*[a-z]" * size + "b\n"},
    "gitignore_class": lambda size: {"a.py": PIPELINE, ".gitignore": "[" + "a-z" * size + "]\n"},
    "gitignore_open_class": lambda size: {"a.py": PIPELINE, ".gitignore": "[" * size + "\n"},
    "gitignore_questions": lambda size: {"a" * 60 + ".py": PIPELINE, ".gitignore": "*?" * size + "b\n"},
    "gitignore_backslashes": lambda size: {"a.py": PIPELINE, ".gitignore": "\\" * size + "\n"},
    "gitignore_slashes": lambda size: {"a.py": PIPELINE, ".gitignore": "/" * size + "a\n"},
    "gitignore_spaces": lambda size: {"a.py": PIPELINE, ".gitignore": "a" + " " * size + "\n"},
    "gitignore_bangs": lambda size: {"a.py": PIPELINE, ".gitignore": "!" * size + "*.py\n"},
    "environment": beside("environment.yml", lambda size: "dependencies:\n" + "  - tensorflow=2.4\n" * size),
    "environment_spaces": beside("environment.yml", lambda size: " " * size + "tensorflow\n"),
    "environment_words": beside("environment.yml", lambda size: "- " + "a" * size + "\n"),
    "environment_dashes": beside("environment.yml", lambda size: "- " * size + "\n"),
    "setup_cfg": beside("setup.cfg", lambda size: "[options]\ninstall_requires =\n" + "  tensorflow>=2.4\n" * size),
    "setup_cfg_keys": beside(
        "setup.cfg", lambda size: "[options]\n" + "".join(f"a{n} = tensorflow\n" for n in range(size))
    ),
    "setup_cfg_blank": beside(
        "setup.cfg", lambda size: "[options]\ninstall_requires = tensorflow\n" + "\n" * size + "  a\n"
    ),
    "setup_cfg_sections": beside("setup.cfg", lambda size: "".join(f"[tensorflow{n}]\n" for n in range(size))),
    "setup_cfg_spaces": beside("setup.cfg", lambda size: "[options]\ntensorflow" + " " * size + "x\n"),
    "setup_cfg_bracket": beside("setup.cfg", lambda size: "[" * size + "tensorflow\n"),
    "dockerfile": beside("Dockerfile", lambda size: "FROM tensorflow/tensorflow:2.4.0\n" * size),
    "dockerfile_row": beside("Dockerfile", lambda size: "FROM " + "a " * size + "\n"),
    "dockerfile_row_of_images": beside("Dockerfile", lambda size: "FROM " + "tensorflow/tensorflow:" * size + "\n"),
    "dockerfile_row_of_nvidia": beside("Dockerfile", lambda size: "FROM nvidia/tensorflow:" + "1" * size + "\n"),
    "dockerfile_rows": beside("Dockerfile", lambda size: "a\n" * size),
    "dockerfiles": lambda size: {
        "train.py": PIPELINE,
        **{f"Dockerfile.{n}": "FROM tensorflow/tensorflow:2.4.0\n" for n in range(size)},
    },
    "lock": beside("uv.lock", lambda size: '[[package]]\nname = "tensorflow"\nversion = "2.4.0"\n' * size),
    "lock_of_names": beside("uv.lock", lambda size: 'name = "tensorflow"\n' * size),
    "lock_of_rows": beside("uv.lock", lambda size: 'name = "tensorflow"\n' + "a\n" * size),
    "lock_of_names_and_rows": beside("uv.lock", lambda size: ('name = "tensorflow"\n' + "a\n" * 20) * size),
    "lock_of_words": beside("uv.lock", lambda size: 'name = "tensorflow' + "a" * size + "\n"),
    "lock_json": beside("Pipfile.lock", lambda size: '"tensorflow": {' * size),
    "lock_json_open": beside("Pipfile.lock", lambda size: '"tensorflow": {' + '"version' * size),
    "lock_json_versions": beside("Pipfile.lock", lambda size: ('"tensorflow": {' + '"version": 1, ' * 20) * size),
    "formatter_rows": beside("ruff.toml", lambda size: "line-length = 100\n" + "\n" * size),
    "formatter_flake8": beside(".flake8", lambda size: "[flake8]\n" + "max-line-length = 100\n" * size),
    "formatter_spaces": beside(".flake8", lambda size: "[flake8]\nmax-line-length" + " " * size + "\n"),
    "formatter_editorconfig": beside(".editorconfig", lambda size: "[*.py]\nmax_line_length = " + "1" * size + "\n"),
    # many files
    "modules": many("m{}.py", lambda n: PIPELINE),
    "modules_of_one_row": many("m{}.py", lambda n: "x = 1\n"),
    "modules_that_import_one": many("m{}.py", lambda n: f"from m0 import *\n{PIPELINE}"),
    "modules_in_a_row": many("m{}.py", lambda n: f"from m{n + 1} import *\n{PIPELINE}"),
    "modules_in_a_circle": lambda size: {
        f"m{n}.py": f"from m{(n + 1) % size} import *\nfrom m{(n + 7) % size} import ds as d\n{PIPELINE}"
        for n in range(size)
    },
    "modules_that_import_all": lambda size: {
        "train.py": "".join(f"from m{n} import *\n" for n in range(size)) + PIPELINE,
        **{f"m{n}.py": PIPELINE for n in range(size)},
    },
    "modules_that_import_each_other": lambda size: {
        f"m{n}.py": "".join(f"import m{k}\n" for k in range(size)) + PIPELINE for n in range(size)
    },
    "modules_that_read_each_other": lambda size: {
        f"m{n}.py": "".join(f"import m{k}\nx{k} = m{k}.ds\n" for k in range(size)) + PIPELINE for n in range(size)
    },
    "modules_with_helpers": many(
        "m{}.py", lambda n: f"from m{n + 1} import make\n{HEAD}def make(ds):\n    return ds.map(f)\nds = make(ds)\n"
    ),
    "modules_twice_called": many(
        "m{}.py",
        lambda n: (
            f"import m{n + 1}\n{HEAD}def make(ds):\n    return m{n + 1}.make(m{n + 1}.make(ds.map(f)))\n"
            f"ds = make(tf.data.Dataset.range(3))\n"
        ),
    ),
    "folders": many("d{}/train.py", lambda n: PIPELINE),
    "folders_inside": lambda size: {"d/" * size + "train.py": PIPELINE},
    "packages": many("d{}/__init__.py", lambda n: f"from . import *\nfrom ..d{n + 1} import *\n{PIPELINE}"),
    "packages_inside": lambda size: {
        **{"d/" * n + "__init__.py": f"from .d import *\n{PIPELINE}" for n in range(size)}
    },
    "names_alike": many("train{}.py", lambda n: HEAD + "from train import *\n" + PIPELINE),
    "notebooks": lambda size: {f"n{n}.ipynb": notebook("x = 1\n", repeat=False)(1)["train.ipynb"] for n in range(size)},
}
