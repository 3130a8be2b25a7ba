import os

os.environ.setdefault("TF_GPU_THREAD_MODE", "gpu_private")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")

import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

SPEC = {
    "history": tf.io.FixedLenFeature([50], tf.int64),
    "next_item": tf.io.FixedLenFeature([], tf.int64),
}
ITEMS = 100_000


def parse(batch):
    ex = tf.io.parse_example(batch, SPEC)
    return ex["history"], ex["next_item"]


def sessions(pattern, batch_size, training):
    options = tf.data.Options()
    options.deterministic = not training
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(50_000)
    ds = ds.batch(batch_size, drop_remainder=training)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE).with_options(options)


def gru4rec():
    return tf.keras.Sequential(
        [
            tf.keras.Input([50], dtype=tf.int64),
            tf.keras.layers.Embedding(ITEMS, 64),
            tf.keras.layers.GRU(128),
            tf.keras.layers.Dense(ITEMS),
        ]
    )


def main():
    model = gru4rec()
    model.compile(
        "adam",
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[tf.keras.metrics.SparseTopKCategoricalAccuracy(20)],
    )
    model.fit(
        sessions("sessions/train-*.tfrecord", 512, True),
        validation_data=sessions("sessions/valid-*.tfrecord", 512, False),
        epochs=10,
    )
    model.save("gru4rec.keras")


if __name__ == "__main__":
    main()
