import argparse

import tensorflow as tf

CLIP = (16, 112, 112, 3)
STAGES = []


def stage(fn):
    STAGES.append(fn)
    return fn


def parse_clip(record):
    ex = tf.io.parse_single_example(
        record,
        {
            "frames": tf.io.FixedLenFeature([CLIP[0]], tf.string),
            "action": tf.io.FixedLenFeature([], tf.int64),
        },
    )
    frames = tf.map_fn(
        lambda b: tf.io.decode_jpeg(b, channels=3), ex["frames"], fn_output_signature=tf.uint8
    )
    clip = tf.image.resize(frames, CLIP[1:3]) / 127.5 - 1.0
    return tf.ensure_shape(clip, CLIP), ex["action"]


@stage
def mix(ds, flags):
    return ds.shuffle(2000)


@stage
def decode(ds, flags):
    return ds.map(parse_clip, num_parallel_calls=tf.data.AUTOTUNE)


@stage
def group(ds, flags):
    return ds.batch(flags.batch, drop_remainder=True)


@stage
def ahead(ds, flags):
    return ds.prefetch(flags.ahead)


def pipeline(flags):
    ds = tf.data.Dataset.list_files(flags.records, shuffle=True)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    for fn in STAGES:
        ds = fn(ds, flags)
    return ds


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", default="/nvme/kinetics/train-*")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--ahead", type=int, default=1024)
    parser.add_argument("--actions", type=int, default=400)
    flags = parser.parse_args(argv)

    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential(
            [
                tf.keras.Input(CLIP),
                tf.keras.layers.Conv3D(64, 3, strides=2, activation="relu"),
                tf.keras.layers.Conv3D(128, 3, strides=2, activation="relu"),
                tf.keras.layers.GlobalAveragePooling3D(),
                tf.keras.layers.Dense(flags.actions),
            ]
        )
        model.compile(
            optimizer="adam",
            loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=["accuracy"],
        )
    model.fit(pipeline(flags), epochs=40)


if __name__ == "__main__":
    main()
