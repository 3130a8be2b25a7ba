import abc

import tensorflow as tf


class InputPipeline(abc.ABC):
    batch_args = {"batch_size": 48, "drop_remainder": True}
    prefetch_args = {"buffer_size": 4096}

    def __init__(self, files):
        self.files = files

    @abc.abstractmethod
    def decode(self, record):
        ...

    def source(self):
        files = tf.data.Dataset.from_tensor_slices(self.files).shuffle(len(self.files))
        return files.interleave(
            tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)

    def finish(self, ds):
        ds = ds.batch(**self.batch_args)
        return ds.prefetch(**self.prefetch_args)

    def build(self):
        ds = self.source().shuffle(20_000)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        return self.finish(ds)


class Satellite(InputPipeline):
    def decode(self, record):
        ex = tf.io.parse_single_example(record, {
            "bands": tf.io.FixedLenFeature([], tf.string),
            "class": tf.io.FixedLenFeature([], tf.int64),
        })
        bands = tf.reshape(tf.io.decode_raw(ex["bands"], tf.uint16), (120, 120, 12))
        return tf.cast(bands, tf.float32) / 10_000.0, ex["class"]


train = Satellite(tf.io.gfile.glob("gs://bigearth/train-*")).build()
model = tf.keras.Sequential([
    tf.keras.layers.Input((120, 120, 12)),
    tf.keras.layers.Conv2D(64, 5, strides=2, activation="relu"),
    tf.keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalMaxPooling2D(),
    tf.keras.layers.Dense(19, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=30)
