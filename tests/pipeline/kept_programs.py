"""Random programs that keep datasets in lists, dicts and objects, change what these hold, and look at it."""

from __future__ import annotations

import random
from collections.abc import Iterator

#: What comes before each program. Nothing is seen of `project`: a test, a place, a key, a number of passes, names.
HEADER = """
import tensorflow as tf
from project import flag, key, names, number, probe, replace, times

full = tf.data.Dataset.range(24)


def load(name, training):
    ds = full.skip(len(name))
    return ds.repeat(2) if training else ds


def change(kept, place):
    kept[place] = kept[place].take(9)


class Data:
    def __init__(self):
        self.a, self.b = full.skip(1), full.take(7)

    @property
    def c(self):
        return self.kept

    @c.setter
    def c(self, value):
        self.kept = value.skip(2)
"""

#: What nobody sees, for each run of a program.
UNSEEN = """
class project:
    flag, key, names, number, times = {flag}, {key!r}, ["de", "fra"], {number}, {times}

    def replace(kept):
        for place in kept if isinstance(kept, dict) else range(len(kept)):
            kept[place] = kept[place].take(5)
"""

STEPS = ("skip(3)", "take(11)", "batch(2, drop_remainder=True)", "repeat(2)", "cache()", "prefetch(1)")
MADE = ("full.skip(1)", "full.take(8)", "full.repeat(2)", "load('train', True)", "load('val', False)", "full.cache()")

LISTS = (
    "kept = [{made}, {more}, {made}]",
    "kept = []\nfor part in ({made}, {more}):\n    kept.append(part.{step})",
    "kept = [full.skip(i) for i in range(3)]",
    "kept = [load(name, name == 'train') for name in ('train', 'val')]",
    "kept = [None] * 2\nfor i in range(2):\n    kept[i] = full.take(i + 1)",
    "kept = []\nfor name in names:\n    kept.append(load(name, flag))",
    "kept = [{made}, *[load(name, flag) for name in names], {more}]",
    "kept = []\nfor start in (1, 2):\n    for part in ({made}, {more}):\n        kept += [part.skip(start)]",
    "kept = []\nfor part in ({made}, {more}, {made}):\n    if flag:\n        continue\n    kept.append(part)\n"
    "kept.append({more})\nkept.append({made})",
    "kept = [{made}]\nfor part in ({made}, {more}):\n    if flag:\n        break\n    kept.append(part)\n"
    "kept.append({more})",
    "kept = list(dict(a={made}, b={more}).values())",
)
LIST_CHANGES = (
    "for i, part in enumerate(kept):\n    kept[i] = part.{step}",
    "for i in range(len(kept)):\n    kept[i] = kept[i].{step}",
    "kept[:] = [part.{step} for part in kept]",
    "kept[1:] = [{made}]",
    "kept[number] = {made}",
    "kept.insert(0, {made})",
    "kept.insert(number, {made})",
    "kept.append({made})",
    "kept.pop()\nkept.append({made})",
    "kept.pop(0)\nkept += [{made}]",
    "kept.pop(number)\nkept.append({made})",
    "kept.reverse()",
    "kept.sort(key=id)",
    "replace(kept)",
    "if flag:\n    kept.append({made})",
    "if flag:\n    kept[0] = kept[0].{step}",
    "if flag:\n    kept[0] = {made}\nelse:\n    kept[1] = {more}",
    "for _ in range(times):\n    kept[0] = kept[0].{step}",
    "for _ in range(times):\n    kept.append({made})",
    "for part in list(kept):\n    kept.append(part.{step})",
    "kept = kept[::-1]",
    "kept = kept[1:] + kept[:1]",
    "kept = [*kept, {made}][1:]",
    "del kept[0]\nkept.append({made})",
    "kept[0], kept[1] = kept[1], kept[0].{step}",
    "kept = [part for i, part in enumerate(kept) if i != 1] + [{made}]",
    "other = kept\nother[0] = {made}",
    "other = list(kept)\nother[0] = {made}",
    "change(kept, 0)",
    "change(kept, number)",
    "if flag:\n    change(kept, 1)",
    "for i in range(2):\n    change(kept, i)",
    "[kept.append(load(name, flag)) for name in names]",
    "try:\n    kept[0] = kept[number + 5].{step}\nexcept IndexError:\n    kept[1] = {made}",
)
LIST_LOOKS = ("kept[0]", "kept[1]", "kept[-1]", "kept[number]", "(a := list(kept))[0]")

DICTS = (
    "kept = {{'a': {made}, 'b': {more}}}",
    "kept = {{name: load(name, name == 'a') for name in ('a', 'b')}}",
    "kept = {{}}\nfor name in 'a', 'b':\n    kept[f'{{name}}'] = {made}.{step}",
    "kept = dict(zip(['a', 'b'], [{made}, {more}]))",
    "kept = {{}}\nfor name in ('a', 'b', *names):\n    kept[name] = load(name, flag)",
    "kept = dict(a={made}, b={more})",
    "kept = {{'a': {made}}}\nif flag:\n    kept['a'] = {more}\nkept['b'] = {made}",
)
DICT_CHANGES = (
    "for name in kept:\n    kept[name] = kept[name].{step}",
    "for name, part in kept.items():\n    kept[name] = part.{step}",
    "for name in list(kept):\n    kept[name] = kept[name].{step}",
    "kept.update({{name: part.{step} for name, part in kept.items()}})",
    "kept.update(a={made})",
    "kept |= {{'b': {made}}}",
    "kept[key] = {made}",
    "kept.setdefault('a', {made})",
    "kept.pop('a')\nkept['a'] = {made}",
    "kept = {{**kept, 'a': {made}}}",
    "kept = {{'a': {made}, **kept}}",
    "kept = {{'a': {made}, 'b': {more}, **{{key: {made}}}}}",
    "if flag:\n    kept['a'] = kept['a'].{step}",
    "for _ in range(times):\n    kept['b'] = kept['b'].{step}",
    "for name in names:\n    kept[name] = load(name, flag)",
    "change(kept, 'a')",
    "change(kept, key)",
    "if flag:\n    change(kept, 'b')",
    "replace(kept)",
    "one, two = kept, dict(kept)\neither = one if flag else two\neither['a'] = {made}",
    "kept['a'], kept['b'] = kept['b'], kept['a']",
    "kept = {{name: kept[name] for name in sorted(kept)}}",
)
DICT_LOOKS = ("kept['a']", "kept['b']", "kept.get('a')", "kept[key]", "list(kept.values())[0]")

OBJECTS = ("kept = Data()", "kept = Data()\nkept.c = {made}")
OBJECT_CHANGES = (
    "for name in ('a', 'b'):\n    setattr(kept, name, getattr(kept, name).{step})",
    "setattr(kept, key, {made})",
    "setattr(kept, 'a', {made})",
    "for name in list(vars(kept)):\n    vars(kept)[name] = vars(kept)[name].{step}",
    "vars(kept)['a'] = {made}",
    "kept.__dict__.update({{name: part.{step} for name, part in vars(kept).items()}})",
    "kept.__dict__.update(b={made})",
    "kept.__dict__[key] = {made}",
    "if flag:\n    kept.a = kept.a.{step}",
    "for _ in range(times):\n    kept.b = kept.b.{step}",
    "if flag:\n    vars(kept)['b'] = {made}",
    "kept.c = {made}",
)
OBJECT_LOOKS = ("kept.a", "kept.b", "vars(kept)['a']", "getattr(kept, key)")

NAMES = ("a, b = {made}, {more}",)
NAME_CHANGES = (
    "for name in ('a', 'b'):\n    globals()[name] = globals()[name].{step}",
    "globals()[key] = {made}",
    "globals().update(a={made})",
    "a, b = [part.{step} for part in (a, b)]",
    "for part in (a, b):\n    a = part.{step}",
)

KINDS = (
    (LISTS, LIST_CHANGES, LIST_LOOKS),
    (DICTS, DICT_CHANGES, DICT_LOOKS),
    (OBJECTS, OBJECT_CHANGES, OBJECT_LOOKS),
    (NAMES, NAME_CHANGES, ("a", "b")),
)


def programs(number: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """Programs, and what each does not see. Each look is `probe(number, …)`."""
    draw = random.Random(seed)
    for _ in range(number):
        makes, changes, looks = draw.choices(KINDS, [4, 3, 2, 1])[0]
        rows = [draw.choice(makes), *draw.sample(changes, draw.randint(1, 3))]
        text, count = HEADER, 0
        for row in rows:
            made, more = draw.sample(MADE, 2)
            text += "\n" + row.format(made=made, more=more, step=draw.choice(STEPS))
            for look in draw.sample(looks, 2 if row is rows[-1] else 1):
                text += f"\nprobe({count}, {look})"
                count += 1
        yield (
            text + "\n",
            UNSEEN.format(
                flag=draw.random() < 0.5, key=draw.choice("ab"), number=draw.randint(0, 1), times=draw.randint(0, 2)
            ),
        )
