import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset, TFRecordDataset

FEATURES = {
    "ids": tf.io.RaggedFeature(tf.int64, row_splits_dtype=tf.int64),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(records):
    row = tf.io.parse_example(records, FEATURES)
    return row["ids"].to_tensor(shape=[None, 128]), row["label"]


def make_dataset(pattern, batch_size, *, training):
    names = sorted(tf.io.gfile.glob(pattern))
    files = Dataset.from_tensor_slices(names)
    if training:
        files = files.shuffle(len(names)).repeat()
    ds = files.interleave(
        TFRecordDataset, cycle_length=AUTOTUNE,
        num_parallel_calls=AUTOTUNE, deterministic=not training)
    if training:
        ds = ds.shuffle(50_000)
    ds = ds.batch(batch_size, drop_remainder=training)
    return ds.map(parse, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)


def build_model(vocab=32_000, width=256):
    ids = tf.keras.Input([128], dtype="int64")
    x = tf.keras.layers.Embedding(vocab, width)(ids)
    attended = tf.keras.layers.MultiHeadAttention(4, width // 4)(x, x)
    x = tf.keras.layers.LayerNormalization()(x + attended)
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    return tf.keras.Model(ids, tf.keras.layers.Dense(20)(x))


def main():
    train = make_dataset("/data/news/train-*.tfrecord", 128, training=True)
    valid = make_dataset("/data/news/valid-*.tfrecord", 256, training=False)
    model = build_model()
    model.compile(
        tf.keras.optimizers.Adam(2e-4),
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(train, steps_per_epoch=5_000, epochs=10, validation_data=valid)


if __name__ == "__main__":
    main()
