"""Galaxy Zoo 2 morphology regression (61k images, downsampled to 64px)."""
import argparse

import tensorflow as tf

AUTO = tf.data.AUTOTUNE
N_ANSWERS = 37


def load_records(pattern, in_memory=True):
    files = sorted(tf.io.gfile.glob(pattern))
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=AUTO)
    return ds.cache() if in_memory else ds


def to_example(serialized):
    feats = tf.io.parse_single_example(serialized, {
        "png": tf.io.FixedLenFeature([], tf.string),
        "votes": tf.io.FixedLenFeature([N_ANSWERS], tf.float32),
    })
    img = tf.io.decode_png(feats["png"], channels=3)
    img = tf.image.central_crop(img, 0.5)
    img = tf.image.resize(tf.cast(img, tf.float32), [64, 64], method="lanczos3", antialias=True)
    luma = tf.image.rgb_to_grayscale(img)
    return tf.concat([img, luma], axis=-1) / 255.0, feats["votes"]


def prepare(records, batch, shuffle=0):
    ds = records
    if shuffle:
        ds = ds.shuffle(shuffle)
    ds = ds.map(to_example, num_parallel_calls=AUTO)
    ds = ds.batch(batch, drop_remainder=bool(shuffle))
    return ds.prefetch(AUTO)


def network():
    return tf.keras.Sequential([
        tf.keras.Input([64, 64, 4]),
        tf.keras.layers.Conv2D(32, 6, activation="relu"),
        tf.keras.layers.MaxPool2D(),
        tf.keras.layers.Conv2D(64, 5, activation="relu"),
        tf.keras.layers.MaxPool2D(),
        tf.keras.layers.Conv2D(128, 3, activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(1024, activation="relu"),
        tf.keras.layers.Dropout(0.5),
        tf.keras.layers.Dense(N_ANSWERS, activation="sigmoid"),
    ])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--train", default="/data/gz2/train-*.tfrecord")
    ap.add_argument("--val", default="/data/gz2/val-*.tfrecord")
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--epochs", type=int, default=150)
    args = ap.parse_args()

    train = prepare(load_records(args.train), args.batch, shuffle=20_000)
    val = prepare(load_records(args.val), args.batch)
    model = network()
    model.compile(tf.keras.optimizers.SGD(0.04, momentum=0.9, nesterov=True), "mse",
                  metrics=[tf.keras.metrics.RootMeanSquaredError()])
    model.fit(train, validation_data=val, epochs=args.epochs)


if __name__ == "__main__":
    main()
