"""Pedestrian detector; mAP is computed by numpy code inside a Keras metric."""
import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
GRID = 16
SIZE = 512


def _average_precision(scores, hits):
    order = np.argsort(-scores)
    tp = np.cumsum(hits[order])
    precision = tp / np.arange(1, len(tp) + 1)
    recall = tp / max(hits.sum(), 1)
    return np.float32(np.sum(np.diff(recall, prepend=0.0) * precision))


class GridAP(tf.keras.metrics.Metric):
    """Average precision over grid cells. Numpy is fine here: it runs once per eval batch."""

    def __init__(self, name="ap"):
        super().__init__(name=name)
        self.total = self.add_weight(name="total", initializer="zeros")
        self.count = self.add_weight(name="count", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        scores = tf.reshape(tf.sigmoid(y_pred[..., 0]), [-1])
        hits = tf.reshape(y_true[..., 0], [-1])
        ap = tf.numpy_function(_average_precision, [scores, hits], tf.float32)
        self.total.assign_add(tf.reshape(ap, []))
        self.count.assign_add(1.0)

    def result(self):
        return tf.math.divide_no_nan(self.total, self.count)

    def reset_state(self):
        self.total.assign(0.0)
        self.count.assign(0.0)


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "grid": tf.io.FixedLenFeature([GRID * GRID * 5], tf.float32)})
    img = tf.image.resize(tf.io.decode_jpeg(ex["image"], channels=3), [SIZE, SIZE])
    return img / 255.0, tf.reshape(ex["grid"], [GRID, GRID, 5])


def data(pattern, batch, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=AUTO)
    if training:
        ds = ds.shuffle(2048)
    ds = ds.map(parse, num_parallel_calls=AUTO)
    return ds.batch(batch, drop_remainder=training).prefetch(AUTO)


def grid_loss(y, p):
    obj = tf.nn.sigmoid_cross_entropy_with_logits(y[..., :1], p[..., :1])
    box = y[..., :1] * tf.abs(y[..., 1:] - p[..., 1:])
    return tf.reduce_mean(obj) + 5.0 * tf.reduce_mean(box)


def main():
    base = tf.keras.applications.MobileNetV2(
        include_top=False, input_shape=(SIZE, SIZE, 3), weights=None)
    out = tf.keras.layers.Conv2D(5, 1)(base.output)
    model = tf.keras.Model(base.input, out)
    model.compile("adam", loss=grid_loss)
    model.fit(data("/data/caltech/train-*.tfrecord", 32, True), epochs=40)
    model.compile("adam", loss=grid_loss, metrics=[GridAP()])
    print(model.evaluate(data("/data/caltech/val-*.tfrecord", 32, False)))


if __name__ == "__main__":
    main()
