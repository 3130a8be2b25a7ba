from tensorflow import data as tfd
import tensorflow as tf

CONFIG = {
    "train": "/data/proteins/train-*.rec",
    "valid": "/data/proteins/valid-*.rec",
    "batch": 256,
    "exact_resume": False,
}


def parse(serialized):
    row = tf.io.parse_example(
        serialized,
        {"seq": tf.io.FixedLenFeature([512], tf.int64), "y": tf.io.FixedLenFeature([], tf.float32)},
    )
    return row["seq"], row["y"]


def pipeline(split):
    base = tfd.Options()
    base.experimental_optimization.map_and_batch_fusion = True

    ordering = tfd.Options()
    ordering.deterministic = CONFIG["exact_resume"]
    ordering.experimental_slack = True

    ds = tfd.Dataset.list_files(CONFIG[split], shuffle=split == "train")
    ds = ds.interleave(tfd.TFRecordDataset, num_parallel_calls=tfd.AUTOTUNE)
    if split == "train":
        ds = ds.shuffle(50_000)
    ds = ds.batch(CONFIG["batch"]).map(parse, num_parallel_calls=tfd.AUTOTUNE)
    ds = ds.with_options(base)
    return ds.prefetch(tfd.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(26, 32),
        tf.keras.layers.Conv1D(64, 9, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse")
    model.fit(pipeline("train"), validation_data=pipeline("valid"), epochs=12)


if __name__ == "__main__":
    main()
