import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--files", default="corpus/shard-*.txt")
parser.add_argument("--budget", type=float, default=5e8, help="Stop after so many tokens.")
parser.add_argument("--seq-len", type=int, default=256)
parser.add_argument("--batch-size", type=int, default=32)
args = parser.parse_args()

tokens_seen = tf.keras.metrics.Sum(name="tokens_seen", dtype=tf.float32)
vocab = tf.lookup.StaticVocabularyTable(
    tf.lookup.TextFileInitializer("corpus/vocab.txt", tf.string, 0, tf.int64, -1, delimiter="\t"), 1000
)


def tokenize(line):
    ids = vocab.lookup(tf.strings.split(tf.strings.lower(line)))[: args.seq_len + 1]
    tokens_seen.update_state(tf.cast(tf.size(ids), tf.float32))
    return ids[:-1], ids[1:]


files = tf.data.Dataset.list_files(args.files)
dataset = files.interleave(tf.data.TextLineDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.shuffle(50_000).map(tokenize)
dataset = dataset.padded_batch(args.batch_size, ([args.seq_len], [args.seq_len]))

model = tf.keras.Sequential(
    [
        tf.keras.layers.Embedding(31000, 512, mask_zero=True),
        tf.keras.layers.GRU(1024, return_sequences=True),
        tf.keras.layers.Dense(31000),
    ]
)
optimizer = tf.keras.optimizers.Adam(2e-4, clipnorm=1.0)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(inputs, targets):
    with tf.GradientTape() as tape:
        loss = loss_fn(targets, model(inputs, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


writer = tf.summary.create_file_writer("runs/lm")
with writer.as_default():
    for step, (inputs, targets) in enumerate(dataset):
        loss = train_step(inputs, targets)
        seen = tokens_seen.result()
        tf.summary.scalar("loss", loss, step=int(seen))
        if seen > args.budget:
            break
model.save_weights("lm.h5")
