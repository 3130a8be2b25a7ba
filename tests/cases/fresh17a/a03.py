"""Demand forecast from store/day tables with a small pipeline description."""
from dataclasses import dataclass

import numpy as np
import pandas as pd
import tensorflow as tf


@dataclass
class Plan:
    epochs: int = 40
    batch: int = 1024
    cache_file: str = "/scratch/demand.cache"

    def stages(self, n):
        return [
            ("map", dict(map_func=parse_row, num_parallel_calls=tf.data.AUTOTUNE)),
            ("repeat", dict(count=self.epochs)),
            ("cache", dict(filename=self.cache_file)),
            ("shuffle", dict(buffer_size=n)),
            ("batch", dict(batch_size=self.batch)),
            ("prefetch", dict(buffer_size=tf.data.AUTOTUNE)),
        ]


def parse_row(line):
    fields = tf.strings.to_number(tf.strings.split(line, ";"))
    fields = tf.ensure_shape(fields, (22,))
    return fields[:-1], fields[-1]


def apply(ds, stages):
    for name, kwargs in stages:
        ds = getattr(ds, name)(**kwargs)
    return ds


def main():
    plan = Plan()
    lines = pd.read_csv("/retail/days.csv", sep="|", header=None)[0].to_numpy(str)
    source = tf.data.Dataset.from_tensor_slices(lines)
    ds = apply(source, plan.stages(len(lines)))
    model = tf.keras.Sequential([
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(128, "relu"),
        tf.keras.layers.Dense(64, "relu"),
        tf.keras.layers.Dense(1, "softplus"),
    ])
    model.compile("adam", tf.keras.losses.Poisson())
    per_epoch = int(np.ceil(len(lines) / plan.batch))
    model.fit(ds, epochs=plan.epochs, steps_per_epoch=per_epoch)


if __name__ == "__main__":
    main()
