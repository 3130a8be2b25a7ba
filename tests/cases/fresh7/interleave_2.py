import dataclasses
import functools
import glob

import tensorflow as tf


@dataclasses.dataclass
class Protein:
    pattern: str = "data/proteins/*.tfrecord.gz"
    batch: int = 32
    length: int = 256
    letters: int = 25

    def parse(self, rows):
        spec = {
            "residues": tf.io.FixedLenFeature([self.length], tf.int64),
            "structure": tf.io.FixedLenFeature([self.length], tf.int64),
        }
        example = tf.io.parse_example(rows, spec)
        return example["residues"], example["structure"]

    def records(self):
        shards = sorted(glob.glob(self.pattern))
        opened = functools.partial(tf.data.TFRecordDataset, compression_type="GZIP")
        ds = tf.data.Dataset.from_tensor_slices(shards).shuffle(len(shards))
        return ds.interleave(opened, cycle_length=min(8, len(shards)))

    def batches(self):
        ds = self.records().shuffle(4096).batch(self.batch, drop_remainder=True)
        return ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(2)


data = Protein()
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(data.letters, 64),
    tf.keras.layers.Conv1D(64, 11, padding="same", activation="relu"),
    tf.keras.layers.Dense(8),
])
optimizer = tf.keras.optimizers.Adam(5e-4)
loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def step(residues, structure):
    with tf.GradientTape() as tape:
        loss = loss_of(structure, model(residues, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for epoch in range(12):
    for residues, structure in data.batches():
        loss = step(residues, structure)
    print(epoch, float(loss))
