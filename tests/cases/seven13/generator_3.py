"""Text spotting: TFRecord reader with an OpenCV augmentation stage."""
import cv2
import numpy as np
import tensorflow as tf

KEYS = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "quad": tf.io.FixedLenFeature([8], tf.float32),
    "text": tf.io.FixedLenFeature([], tf.string),
}
ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
to_ids = tf.keras.layers.StringLookup(vocabulary=list(ALPHABET), mask_token="")


def rectify(image, quad):
    """Perspective-warp the word box to 32x128 with a jittered corner set."""
    src = quad.reshape(4, 2) + np.random.normal(0, 1.5, (4, 2))
    dst = np.array([[0, 0], [127, 0], [127, 31], [0, 31]], np.float32)
    m = cv2.getPerspectiveTransform(src.astype(np.float32), dst)
    return cv2.warpPerspective(image, m, (128, 32))


def parse(record):
    ex = tf.io.parse_single_example(record, KEYS)
    image = tf.io.decode_jpeg(ex["image"], channels=3)
    word = tf.numpy_function(
        rectify, [image, ex["quad"]], tf.uint8)
    word.set_shape([32, 128, 3])
    ids = to_ids(tf.strings.unicode_split(ex["text"], "UTF-8"))[:25]
    ids = tf.pad(ids, [[0, 25 - tf.shape(ids)[0]]])
    return word, tf.ensure_shape(ids, [25])


class Spotter(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.cnn = tf.keras.Sequential([
            tf.keras.layers.Conv2D(64, 3, strides=2, padding="same", activation="relu"),
            tf.keras.layers.Conv2D(128, 3, strides=2, padding="same", activation="relu"),
        ])
        self.rnn = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(256, return_sequences=True))
        self.out = tf.keras.layers.Dense(len(ALPHABET) + 2)

    def call(self, x):
        f = tf.reduce_mean(self.cnn(tf.cast(x, tf.float32) / 255.0), axis=1)
        return self.out(self.rnn(f))[:, :25]


files = tf.io.gfile.glob("/data/synthtext/shard-*.tfrecord")
train = tf.data.TFRecordDataset(files, num_parallel_reads=16).shuffle(10_000).repeat()
train = train.map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(256).prefetch(2)

model = Spotter()
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, steps_per_epoch=5000, epochs=20)
