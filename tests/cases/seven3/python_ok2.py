import numpy as np
import tensorflow as tf
from sklearn.metrics import average_precision_score

SPEC = {"embedding": tf.io.FixedLenFeature([1280], tf.float32),
        "targets": tf.io.FixedLenFeature([527], tf.float32)}


def parse(batch):
    ex = tf.io.parse_example(batch, SPEC)
    return ex["embedding"], ex["targets"]


def read(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000).batch(batch_size)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


class EpochMap(tf.keras.callbacks.Callback):
    def __init__(self, dataset):
        super().__init__()
        self.dataset = dataset

    def on_epoch_end(self, epoch, logs=None):
        truth, scores = [], []
        for x, y in self.dataset:
            truth.append(y)
            scores.append(self.model(x, training=False))
        value = tf.numpy_function(
            lambda t, s: np.float32(average_precision_score(t, s, average="macro")),
            [tf.concat(truth, 0), tf.concat(scores, 0)], tf.float32)
        print(f"epoch {epoch}: mAP {float(value):.4f}")


model = tf.keras.Sequential([
    tf.keras.Input((1280,)),
    tf.keras.layers.Dense(1024, activation="relu"),
    tf.keras.layers.Dropout(0.4),
    tf.keras.layers.Dense(527, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(read("/data/audioset/train-*", 512), epochs=40, callbacks=[EpochMap(read("/data/audioset/eval-*", 512))])
