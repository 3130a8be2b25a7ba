import abc

import tensorflow as tf

FRAMES, SIDE = 32, 160


class ClipDataset(abc.ABC):
    shuffle_buffer = 1000
    batch_size = 8

    @abc.abstractmethod
    def files(self):
        ...

    @abc.abstractmethod
    def decode(self, raw):
        ...

    def build(self):
        ds = self.files().interleave(
            tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = self.randomize(ds)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def randomize(self, ds):
        return ds.shuffle(self.shuffle_buffer)


class GestureClips(ClipDataset):
    def __init__(self, pattern):
        self.pattern = pattern

    def files(self):
        return tf.data.Dataset.list_files(self.pattern, shuffle=True)

    def decode(self, raw):
        _, seq = tf.io.parse_single_sequence_example(
            raw,
            sequence_features={"frame": tf.io.FixedLenSequenceFeature([], tf.string)},
        )
        ctx, _ = tf.io.parse_single_sequence_example(
            raw, context_features={"label": tf.io.FixedLenFeature([], tf.int64)})
        clip = tf.map_fn(
            lambda b: tf.image.resize(tf.io.decode_jpeg(b, channels=3), (SIDE, SIDE)),
            seq["frame"][:FRAMES],
            fn_output_signature=tf.TensorSpec((SIDE, SIDE, 3), tf.float32),
        )
        clip = tf.ensure_shape(clip, [FRAMES, SIDE, SIDE, 3])
        return clip / 127.5 - 1.0, ctx["label"]


class GestureClipsEval(GestureClips):
    def files(self):
        return tf.data.Dataset.list_files(self.pattern, shuffle=False)

    def randomize(self, ds):
        return ds


def c3d():
    x = inp = tf.keras.Input((FRAMES, SIDE, SIDE, 3))
    for ch in (16, 32, 64):
        x = tf.keras.layers.Conv3D(ch, 3, padding="same", activation="relu")(x)
        x = tf.keras.layers.MaxPool3D((2, 2, 2))(x)
    x = tf.keras.layers.GlobalAveragePooling3D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(27, activation="softmax")(x))


if __name__ == "__main__":
    model = c3d()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        GestureClips("/jester/train-*.tfrecord").build(),
        validation_data=GestureClipsEval("/jester/val-*.tfrecord").build(),
        epochs=30,
    )
