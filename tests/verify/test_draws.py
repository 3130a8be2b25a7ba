"""What mapped functions draw, on real TensorFlow, and asked for by the rows of this file."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from typing import Any

import pytest

from tfdata_lint.verify.agent import draws
from tfdata_lint.verify.agent.recorder import draws as is_drawn, graphs_of

pytestmark = pytest.mark.tensorflow
COUNT = 20


def seeded(tf: Any) -> Callable[..., Any]:
    def augment(image: Any, mask: Any) -> Any:
        image = tf.image.random_flip_left_right(image, seed=3)  # image
        mask = tf.image.random_flip_left_right(mask, seed=3)  # mask
        return image, mask

    return augment


def in_a_function(tf: Any) -> Callable[..., Any]:
    @tf.function
    def augment(image: Any, mask: Any) -> Any:
        return (
            tf.image.random_crop(image, [2, 2, 3]),  # image
            tf.image.random_crop(mask, [2, 2, 1]),  # mask
        )

    return augment


def in_one_row(tf: Any) -> Callable[..., Any]:
    def flipped(x: Any) -> Any:
        return tf.image.random_flip_left_right(x)

    return lambda image, mask: (flipped(image), flipped(mask))  # image # mask


def layers(tf: Any) -> Callable[..., Any]:
    """Their state is a variable, which the function captures."""
    flip, turn = (tf.keras.layers.RandomFlip("horizontal") for _ in range(2))

    def augment(image: Any, mask: Any) -> Any:
        image = flip(image)  # image
        return image, turn(mask)  # mask

    return augment


def in_a_branch(tf: Any) -> Callable[..., Any]:
    def augment(image: Any, mask: Any) -> Any:
        def moved() -> Any:
            return tf.image.random_crop(image, [2, 2, 3]), tf.image.random_crop(mask, [2, 2, 1])  # image # mask

        return tf.cond(tf.reduce_sum(image) > 1e9, moved, lambda: (image[:2, :2], mask[:2, :2]))

    return augment


def another_draw(tf: Any) -> Callable[..., Any]:
    def augment(image: Any, mask: Any) -> Any:
        image = tf.image.random_flip_left_right(image)  # image
        return image, tf.image.random_crop(mask, [4, 4, 1])  # mask

    return augment


def alone(tf: Any) -> Callable[..., Any]:
    def augment(image: Any, mask: Any) -> Any:
        return tf.image.random_flip_left_right(image), tf.identity(mask)  # image

    return augment


def alone_and_other(tf: Any) -> Callable[..., Any]:
    def augment(image: Any, mask: Any) -> Any:
        return tf.image.random_flip_left_right(image), mask + 1  # image

    return augment


@pytest.mark.parametrize(
    ("made", "answer"),
    [
        (seeded, {"of": COUNT, "same": COUNT}),
        (in_a_function, {"of": COUNT, "same": 0}),
        (in_one_row, {"of": COUNT, "same": 0}),
        (layers, {"of": COUNT, "same": 0}),
        (in_a_branch, {"missing": True}),
        (another_draw, {"missing": True}),
        (alone, {"of": COUNT, "distinct": COUNT, "kept": True}),
        (alone_and_other, {"of": COUNT, "distinct": COUNT, "kept": False}),
    ],
    ids=lambda one: one.__name__ if callable(one) else "",
)
def test_what_is_drawn_for_an_image_and_for_its_mask(made: Any, answer: dict[str, Any]) -> None:
    tf = pytest.importorskip("tensorflow")
    above = tf.data.Dataset.from_tensor_slices((tf.ones([30, 4, 4, 3]), tf.ones([30, 4, 4, 1])))
    (graph,) = graphs_of(above.map(made(tf)))
    image, mask = _place(made, "# image"), _place(made, "# mask")
    assert image
    assert draws.compare(graph, above, image, mask, COUNT) == answer


def _place(made: Any, mark: str) -> dict[str, Any] | None:
    rows, first = inspect.getsourcelines(made)
    return next(
        (
            {"file": os.path.realpath(__file__), "row": row, "end_row": row}
            for row, text in enumerate(rows, first)
            if mark in text
        ),
        None,
    )


def test_what_is_random_in_each_epoch() -> None:
    import tensorflow as tf

    rows, generator = tf.data.Dataset.range(3), tf.random.Generator.from_seed(1)
    for function in (
        lambda x: tf.random.uniform([]),
        lambda x: generator.normal([]),
        lambda x: tf.image.random_flip_left_right(tf.zeros([4, 4, 3])),
        tf.function(lambda x: tf.random.shuffle([x, x])),
        lambda x: tf.cond(x > 1, lambda: tf.random.truncated_normal([]), lambda: 0.0),
    ):
        assert is_drawn(rows.map(function))
    assert is_drawn(rows.flat_map(lambda x: rows.map(lambda y: tf.random.normal([]))))
    for plain in (lambda x: x + 1, lambda x: tf.random.stateless_uniform([], [x, x]), tf.function(lambda x: x * 2)):
        assert not is_drawn(rows.map(plain))
    assert not is_drawn(rows.shuffle(3))
