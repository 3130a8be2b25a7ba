import tensorflow as tf
from tensorflow import data as tfd

SEQ_LEN = 1024
SPEC = {"tokens": tf.io.FixedLenFeature([SEQ_LEN + 1], tf.int64)}


def read_shards(compression):
    def _apply(shards):
        def _one(path):
            return tfd.TFRecordDataset(path, compression_type=compression)
        return shards.flat_map(_one)
    return _apply


def to_inputs(records):
    tokens = tf.io.parse_example(records, SPEC)["tokens"]
    return tokens[:, :-1], tokens[:, 1:]


def lm_dataset(shard_names, batch_size, seed):
    return (
        tfd.Dataset.from_tensor_slices(shard_names)
        .shuffle(len(shard_names), seed=seed)
        .apply(read_shards("GZIP"))
        .shuffle(8192, seed=seed)
        .repeat()
        .batch(batch_size, drop_remainder=True)
        .map(to_inputs, num_parallel_calls=tfd.AUTOTUNE)
        .prefetch(tfd.AUTOTUNE)
    )


def train(model, optimizer, dataset, steps):
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for i, (x, y) in enumerate(dataset.take(steps)):
        loss = step(x, y)
        if i % 500 == 0:
            tf.print("step", i, "loss", loss)


def main():
    shards = [f"/nfs/c4/c4-{i:05d}-of-00512.tfrecord.gz" for i in range(512)]
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(50_257, 512),
        tf.keras.layers.GRU(512, return_sequences=True),
        tf.keras.layers.Dense(50_257),
    ])
    train(model, tf.keras.optimizers.Adam(3e-4), lm_dataset(shards, 32, seed=7), 200_000)


if __name__ == "__main__":
    main()
