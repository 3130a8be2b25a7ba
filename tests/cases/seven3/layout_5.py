import argparse

import keras
import tensorflow as tf


def build_parser():
    parser = argparse.ArgumentParser()
    parser.add_argument("--videos", default="/data/gestures/train-*.tfrecord")
    parser.add_argument("--frames", type=int, default=32)
    parser.add_argument("--batch-size", type=int, default=8)
    return parser


def make_parse(frames):
    def parse(record):
        ex = tf.io.parse_single_example(record, {
            "video": tf.io.FixedLenFeature([frames], tf.string),
            "gesture": tf.io.FixedLenFeature([], tf.int64),
        })
        clip = tf.map_fn(lambda s: tf.io.decode_jpeg(s, channels=3), ex["video"], fn_output_signature=tf.uint8)
        clip = tf.image.resize(clip, (112, 112)) / 255.0
        clip = tf.transpose(clip, perm=[3, 0, 1, 2])
        return clip, ex["gesture"]

    return parse


def c3d(frames, classes):
    layout = {"data_format": "channels_first"}
    conv = {"kernel_size": 3, "padding": "same", "activation": "relu", **layout}
    return keras.Sequential([
        keras.Input((3, frames, 112, 112)),
        keras.layers.Conv3D(64, **conv),
        keras.layers.MaxPooling3D((1, 2, 2), **layout),
        keras.layers.Conv3D(128, **conv),
        keras.layers.MaxPooling3D(2, **layout),
        keras.layers.Conv3D(256, **conv),
        keras.layers.GlobalAveragePooling3D(**layout),
        keras.layers.Dense(classes, activation="softmax"),
    ])


def main():
    args = build_parser().parse_args()
    ds = tf.data.Dataset.list_files(args.videos)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(512).map(make_parse(args.frames), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(args.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    model = c3d(args.frames, 27)
    model.compile(keras.optimizers.Adam(1e-4), "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(ds, epochs=40)


if __name__ == "__main__":
    main()
