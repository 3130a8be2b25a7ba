import pathlib

import numpy as np
import tensorflow as tf

NUM_PROOF_STATES = 500_000
SHUFFLE_BUFFER = 10_000
BATCH = 128
EPOCHS = 100
STATE_DIM, NUM_TACTICS = 512, 180


class ProofStates:
    """Proof states in the order of the Coq files that they come from."""

    def __init__(self, root):
        self.states = np.load(root / "states.npy", mmap_mode="r")
        self.tactics = np.load(root / "tactics.npy", mmap_mode="r")
        assert len(self.states) == NUM_PROOF_STATES

    def __call__(self):
        for state, tactic in zip(self.states, self.tactics):
            yield state, tactic


def training_dataset(root):
    ds = tf.data.Dataset.from_generator(
        ProofStates(root),
        output_signature=(
            tf.TensorSpec((STATE_DIM,), tf.float32),
            tf.TensorSpec((), tf.int32),
        ),
    )
    ds = ds.apply(tf.data.experimental.assert_cardinality(NUM_PROOF_STATES))
    ds = ds.cache()
    ds = ds.shuffle(SHUFFLE_BUFFER)
    return ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def tactic_model():
    model = tf.keras.Sequential([
        tf.keras.Input((STATE_DIM,)),
        tf.keras.layers.Dense(1024, activation="relu"),
        tf.keras.layers.Dense(512, activation="relu"),
        tf.keras.layers.Dense(NUM_TACTICS),
    ])
    model.compile(
        optimizer=tf.keras.optimizers.Adam(3e-4),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


if __name__ == "__main__":
    model = tactic_model()
    model.fit(training_dataset(pathlib.Path("coq-dataset")), epochs=EPOCHS)
    model.save("tactics.keras")
