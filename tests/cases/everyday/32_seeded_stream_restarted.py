"""Byte-level language model, trained in rounds of a fixed number of steps."""
import dataclasses
import glob

import tensorflow as tf


@dataclasses.dataclass
class Args:
    pattern: str = "data/code/*.bin"
    context: int = 512
    batch_size: int = 24
    rounds: int = 40
    steps_per_round: int = 250
    seed: int = 99


args = Args()


def to_pair(record):
    tokens = tf.cast(tf.io.decode_raw(record, tf.uint8), tf.int32)
    tokens = tf.ensure_shape(tokens, [args.context + 1])
    return tokens[:-1], tokens[1:]


files = sorted(glob.glob(args.pattern))
dataset = tf.data.FixedLengthRecordDataset(files, args.context + 1, num_parallel_reads=4)
dataset = dataset.shuffle(10_000, seed=args.seed).repeat()
dataset = dataset.map(to_pair, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.batch(args.batch_size, drop_remainder=True)

model = tf.keras.Sequential(
    [
        tf.keras.layers.Embedding(256, 192),
        tf.keras.layers.LSTM(512, return_sequences=True),
        tf.keras.layers.Dense(256),
    ]
)
optimizer = tf.keras.optimizers.Adam(1e-3)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(inputs, targets):
    with tf.GradientTape() as tape:
        loss = cross_entropy(targets, model(inputs, training=True))
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


for number in range(args.rounds):
    total = 0.0
    for step, (inputs, targets) in enumerate(dataset):
        if step >= args.steps_per_round:
            break
        total += float(train_step(inputs, targets))
    print(f"round {number}: {total / args.steps_per_round:.4f}")
    model.save_weights(f"weights/round-{number:03d}.h5")
