import keras
import tensorflow as tf


class Pipeline:
    def __init__(self, pattern):
        self._ds = tf.data.Dataset.list_files(pattern, shuffle=False)

    def read(self):
        self._ds = self._ds.interleave(
            lambda f: tf.data.TFRecordDataset(f, compression_type="GZIP"),
            cycle_length=12, num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def cached(self, where=""):
        self._ds = self._ds.cache(where)
        return self

    def shuffled(self, size):
        self._ds = self._ds.shuffle(size)
        return self

    def decoded(self, spec, side):
        def decode(record):
            ex = tf.io.parse_single_example(record, spec)
            tile = tf.io.decode_jpeg(ex["tile"], channels=3)
            tile = tf.image.resize(tf.image.rgb_to_hsv(tile / 255), (side, side), method="bicubic")
            return tile, ex["price"]

        self._ds = self._ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def batched(self, size):
        self._ds = self._ds.batch(size, drop_remainder=True)
        return self

    def build(self):
        return self._ds.prefetch(tf.data.AUTOTUNE)


SPEC = {"tile": tf.io.FixedLenFeature([], tf.string), "price": tf.io.FixedLenFeature([], tf.float32)}

train = (Pipeline("/data/houses/train-*.tfrecord.gz")
         .read()
         .cached()
         .shuffled(8192)
         .decoded(SPEC, 128)
         .batched(128)
         .build())

model = keras.Sequential([
    keras.applications.EfficientNetV2B0(include_top=False, weights=None, input_shape=(128, 128, 3),
                                        include_preprocessing=False, pooling="avg"),
    keras.layers.Dropout(0.2),
    keras.layers.Dense(1),
])
model.compile(keras.optimizers.Adam(1e-3), "huber")
model.fit(train, epochs=75, callbacks=[keras.callbacks.TensorBoard("logs/houses")])
