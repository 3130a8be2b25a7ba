"""Multi-node training of a lung nodule classifier."""
import json
import os

import numpy as np
import pydicom
import tensorflow as tf

os.environ.setdefault("TF_CONFIG", json.dumps({
    "cluster": {"worker": [f"node{i}:2222" for i in range(4)]},
    "task": {"type": "worker", "index": int(os.environ.get("SLURM_PROCID", 0))},
}))

strategy = tf.distribute.MultiWorkerMirroredStrategy()
GLOBAL_BATCH = 2 * strategy.num_replicas_in_sync
DEPTH, SIDE = 64, 128


def read_case(folder):
    names = sorted(os.listdir(folder))[:DEPTH]
    slices = [pydicom.dcmread(os.path.join(folder, n)).pixel_array for n in names]
    vol = np.stack(slices).astype(np.float32)[:, ::4, ::4]
    return np.clip((vol + 1000) / 1400, 0, 1)[..., None]


def cases():
    with open("/data/lidc/cases.json") as f:
        index = json.load(f)
    rng = np.random.default_rng()
    for case in rng.permutation(index):
        yield read_case(case["folder"]), np.float32(case["malignant"])


def dataset():
    ds = tf.data.Dataset.from_generator(
        cases,
        output_signature=(
            tf.TensorSpec((DEPTH, SIDE, SIDE, 1), tf.float32),
            tf.TensorSpec((), tf.float32),
        ),
    )
    return ds.batch(GLOBAL_BATCH, drop_remainder=True).prefetch(2)


with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.Input((DEPTH, SIDE, SIDE, 1)),
        tf.keras.layers.Conv3D(16, 3, activation="relu"),
        tf.keras.layers.MaxPool3D(),
        tf.keras.layers.Conv3D(32, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling3D(),
        tf.keras.layers.Dense(1),
    ])
    optimizer = tf.keras.optimizers.Adam(1e-4)
    bce = tf.keras.losses.BinaryCrossentropy(from_logits=True, reduction="none")

dist = strategy.experimental_distribute_dataset(dataset())


def replica_step(x, y):
    with tf.GradientTape() as tape:
        per_example = bce(y[:, None], model(x, training=True))
        loss = tf.nn.compute_average_loss(per_example, global_batch_size=GLOBAL_BATCH)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


@tf.function
def step(x, y):
    return strategy.reduce("SUM", strategy.run(replica_step, args=(x, y)), axis=None)


for epoch in range(20):
    total, n = tf.constant(0.0), 0
    for x, y in dist:
        total += step(x, y)
        n += 1
    print(epoch, float(total) / max(n, 1))
