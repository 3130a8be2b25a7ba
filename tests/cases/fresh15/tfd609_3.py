import glob

import tensorflow as tf

LABELS = 20


def parse(record):
    ex = tf.io.parse_single_example(
        record,
        {
            "points": tf.io.FixedLenFeature([2048 * 4], tf.float32),
            "labels": tf.io.FixedLenFeature([2048], tf.int64),
        },
    )
    return tf.reshape(ex["points"], (2048, 4)), ex["labels"]


class Segmenter:
    def __init__(self, logdir):
        layers = tf.keras.layers
        self.logdir = logdir
        self.model = tf.keras.Sequential(
            [
                tf.keras.Input((2048, 4)),
                layers.Conv1D(64, 1, activation="relu"),
                layers.Conv1D(256, 1, activation="relu"),
                layers.Conv1D(LABELS, 1),
            ]
        )
        self.checkpoint = tf.train.Checkpoint(model=self.model)

    def load_newest(self):
        path = tf.train.latest_checkpoint(self.logdir)
        self.checkpoint.restore(path).expect_partial()

    def predict(self, points):
        self.load_newest()
        return self.infer(points)

    @tf.function
    def infer(self, points):
        return tf.argmax(self.model(points, training=False), axis=-1)

    def evaluate(self, ds):
        iou = tf.keras.metrics.MeanIoU(LABELS)
        for points, labels in ds:
            iou.update_state(labels, self.predict(points))
        return float(iou.result())


def scans(pattern, batch_size=16):
    files = sorted(glob.glob(pattern))
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    segmenter = Segmenter("/ckpt/lidar")
    print("mIoU", segmenter.evaluate(scans("/data/lidar/test-*.tfrecord")))


if __name__ == "__main__":
    main()
