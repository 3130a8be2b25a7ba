import argparse
import functools

import tensorflow as tf

CAMERAS = ("front", "left", "right", "rear")


def parse(record):
    row = tf.io.parse_single_example(
        record,
        {
            "frame": tf.io.FixedLenFeature([], tf.string),
            "steering": tf.io.FixedLenFeature([], tf.float32),
        },
    )
    frame = tf.io.decode_jpeg(row["frame"], channels=3)
    return tf.image.resize(frame, [66, 200]) / 255.0, row["steering"]


def camera_dataset(root, camera):
    files = sorted(tf.io.gfile.glob(f"{root}/{camera}/*.tfrecord"))
    return tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)


def merge(datasets, balanced):
    if balanced:
        # Each camera starts again by itself, and the sampler takes turns.
        return tf.data.Dataset.sample_from_datasets([d.shuffle(4_000).repeat() for d in datasets])
    merged = functools.reduce(lambda left, right: left.concatenate(right), datasets)
    return merged.shuffle(16_000).repeat()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default="/data/drives")
    parser.add_argument("--balanced", action="store_true")
    parser.add_argument("--steps", type=int, default=2_000)
    parser.add_argument("--batch", type=int, default=128)
    args = parser.parse_args()

    ds = merge([camera_dataset(args.root, camera) for camera in CAMERAS], args.balanced)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(args.batch).prefetch(tf.data.AUTOTUNE)

    model = tf.keras.Sequential([
        tf.keras.Input((66, 200, 3)),
        tf.keras.layers.Conv2D(24, 5, 2, activation="elu"),
        tf.keras.layers.Conv2D(36, 5, 2, activation="elu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(100, activation="elu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse")
    model.fit(ds, steps_per_epoch=args.steps, epochs=30)
    model.save("pilot.keras")


if __name__ == "__main__":
    main()
