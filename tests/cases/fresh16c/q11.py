"""Multi-resolution evaluation of a plant disease classifier."""
import tensorflow as tf

PATTERN = "gs://leafscan/eval/*.tfrecord"
SIZES = (160, 224, 320, 384)
BATCH = 64
FEATURES = {
    "jpeg": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(serialized):
    ex = tf.io.parse_single_example(serialized, FEATURES)
    return ex["jpeg"], ex["label"]


def records():
    files = tf.data.Dataset.list_files(PATTERN, shuffle=False)
    return files.interleave(
        tf.data.TFRecordDataset,
        cycle_length=8,
        num_parallel_calls=tf.data.AUTOTUNE,
    )


def per_size_datasets():
    out = {}
    for size in SIZES:
        def decode(jpeg, label):
            image = tf.io.decode_jpeg(jpeg, channels=3)
            image = tf.image.resize_with_pad(image, size, size)
            return image / 127.5 - 1.0, label

        ds = records().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
        out[size] = ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)
    return out


def main():
    base = tf.keras.applications.EfficientNetV2B0(
        include_top=False, input_shape=(None, None, 3), pooling="avg", include_preprocessing=False)
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(38)])
    model.load_weights("leafscan.weights.h5")
    model.compile(
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    for size, ds in per_size_datasets().items():
        loss, acc = model.evaluate(ds, verbose=0)
        print(f"{size:4d}px  loss {loss:.3f}  acc {acc:.3f}")


if __name__ == "__main__":
    main()
