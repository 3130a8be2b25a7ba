import tensorflow as tf


class VideoClips:
    """Base of the clip datasets; subclasses say how a record is read."""

    batch_size = 8
    buffer = 2_000

    def __init__(self, pattern):
        self.pattern = pattern

    def records(self):
        files = tf.data.Dataset.list_files(self.pattern)
        return files.interleave(
            tf.data.TFRecordDataset,
            num_parallel_calls=tf.data.AUTOTUNE,
            deterministic=False,
        )

    def example(self, record):
        raise NotImplementedError

    def dataset(self):
        ds = self.records()
        ds = ds.map(self.example, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(self.buffer)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


class Kinetics(VideoClips):
    frames = 16
    size = 224

    def example(self, record):
        context, sequence = tf.io.parse_single_sequence_example(
            record,
            context_features={"label": tf.io.FixedLenFeature([], tf.int64)},
            sequence_features={"jpeg": tf.io.FixedLenSequenceFeature([], tf.string)},
        )

        def frame(jpeg):
            image = tf.io.decode_jpeg(jpeg, channels=3)
            return tf.image.resize(image, [self.size, self.size]) / 255.0

        clip = tf.map_fn(
            frame, sequence["jpeg"][:self.frames],
            fn_output_signature=tf.TensorSpec([self.size, self.size, 3], tf.float32))
        return tf.ensure_shape(clip, [self.frames, self.size, self.size, 3]), context["label"]


def main():
    data = Kinetics("gs://video/kinetics400/train-*.tfrecord").dataset()
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.layers.Conv3D(64, (3, 7, 7), strides=2, activation="relu"),
            tf.keras.layers.Conv3D(128, 3, strides=2, activation="relu"),
            tf.keras.layers.GlobalAveragePooling3D(),
            tf.keras.layers.Dense(400, activation="softmax"),
        ])
        model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data, epochs=20)


if __name__ == "__main__":
    main()
