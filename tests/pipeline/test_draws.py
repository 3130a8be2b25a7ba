"""The tables of draws against the installed TensorFlow, NumPy and Python."""

from __future__ import annotations

import inspect
import random
from operator import attrgetter
from typing import Any

import numpy
import pytest

from tfdata_lint.pipeline.knowledge.draws import COUNTERPARTS, KEEPING, KEYWORDS, TAKING


@pytest.mark.parametrize("name", COUNTERPARTS)
def test_draws_have_their_counterparts(name: str, tf: Any) -> None:
    operation, *parameters = COUNTERPARTS[name]
    assert hasattr(random, name) or hasattr(numpy.random, name)
    assert set(parameters) <= set(inspect.signature(getattr(tf.random, operation)).parameters)
    assert set(parameters) <= set(KEYWORDS.values())


def test_operations_keep_their_first_argument(tf: Any) -> None:
    for name in KEEPING:
        assert callable(attrgetter(name)(tf))


@pytest.mark.parametrize("name", TAKING)
def test_operations_take_a_tensor_there(name: str, tf: Any) -> None:
    parameters = list(inspect.signature(attrgetter(name)(tf)).parameters)
    places = TAKING[name].places
    assert [parameters[int(position)] for position in places[::2]] == list(places[1::2])
