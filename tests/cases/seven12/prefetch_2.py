from functools import reduce, partial

import tensorflow as tf

VOCAB = 32000
SEQ = 512


def decode(raw):
    spec = {"ids": tf.io.FixedLenFeature([SEQ + 1], tf.int64)}
    return tf.io.parse_example(raw, spec)["ids"]


def to_pairs(ids):
    return ids[:, :-1], ids[:, 1:]


def compose(ds, stages):
    return reduce(lambda d, stage: stage(d), stages, ds)


STAGES = [
    lambda d: d.shuffle(50_000),
    lambda d: d.batch(64, drop_remainder=True),
    lambda d: d.map(decode, num_parallel_calls=tf.data.AUTOTUNE),
    lambda d: d.map(to_pairs, num_parallel_calls=tf.data.AUTOTUNE),
]


def corpus(shards):
    names = tf.data.Dataset.from_tensor_slices(shards).shuffle(len(shards))
    return names.interleave(
        partial(tf.data.TFRecordDataset, compression_type="GZIP"),
        cycle_length=8,
        num_parallel_calls=tf.data.AUTOTUNE,
    )


def main():
    shards = tf.io.gfile.glob("/data/c4/tokens-*.tfrecord.gz")
    train_ds = compose(corpus(shards), STAGES)
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(VOCAB, 512),
        tf.keras.layers.LSTM(1024, return_sequences=True),
        tf.keras.layers.Dense(VOCAB),
    ])
    optimizer = tf.keras.optimizers.Adam(3e-4)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for i, (x, y) in enumerate(train_ds):
        with tf.profiler.experimental.Trace("train", step_num=i, _r=1):
            loss = step(x, y)
        if i % 500 == 0:
            print(i, float(loss))


if __name__ == "__main__":
    main()
