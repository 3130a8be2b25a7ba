import functools
import operator

import tensorflow as tf

READ_OPTIONS = {
    "deterministic": False,
    "autotune.enabled": False,
    "threading.private_threadpool_size": 1,
}

SPEC = {
    "frames": tf.io.FixedLenFeature([16], tf.string),
    "action": tf.io.FixedLenFeature([], tf.int64),
}


def make_options(settings):
    options = tf.data.Options()
    for name, value in settings.items():
        *parents, leaf = name.split(".")
        setattr(functools.reduce(getattr, parents, options), leaf, value)
    return options


def decode_frame(data):
    frame = tf.io.decode_jpeg(data, channels=3)
    return tf.image.resize(frame, [112, 112])


def parse_clip(record):
    ex = tf.io.parse_single_example(record, SPEC)
    clip = tf.map_fn(
        decode_frame, ex["frames"], fn_output_signature=tf.TensorSpec([112, 112, 3], tf.float32)
    )
    return clip / 127.5 - 1.0, ex["action"]


class ClipInput:
    def __init__(self, pattern, batch_size, training=True):
        self.pattern = pattern
        self.batch_size = batch_size
        self.training = training

    def __call__(self):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=self.training)
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        if self.training:
            ds = ds.shuffle(1000)
        ds = ds.map(parse_clip, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=self.training)
        ds = ds.prefetch(tf.data.AUTOTUNE)
        return ds.with_options(make_options(READ_OPTIONS))


def video_net(actions):
    inputs = tf.keras.Input([16, 112, 112, 3])
    x = inputs
    for width in (32, 64, 128):
        x = tf.keras.layers.Conv3D(width, 3, padding="same", activation="relu")(x)
        x = tf.keras.layers.MaxPool3D([1, 2, 2])(x)
    x = tf.keras.layers.GlobalAveragePooling3D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(actions)(x))


def main():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = video_net(101)
        model.compile(
            optimizer="adam",
            loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=["accuracy"],
        )
    train = ClipInput("ucf101/train-*.tfrecord", 32)()
    valid = ClipInput("ucf101/test-*.tfrecord", 32, training=False)()
    model.fit(train, validation_data=valid, epochs=30)


if __name__ == "__main__":
    main()
