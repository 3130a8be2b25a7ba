import tensorflow as tf


class ClipMixin:
    clip_length = 8
    clip_stride = 4

    def clips(self, frames):
        windows = frames.window(self.clip_length, self.clip_stride, drop_remainder=True)
        return windows.map(self.pool, num_parallel_calls=tf.data.AUTOTUNE)

    def pool(self, clip):
        rgb = tf.cast(clip["rgb"], tf.float32) / 255.0
        return {
            "mean": tf.reduce_mean(rgb, axis=0),
            "motion": rgb[-1] - rgb[0],
            "label": clip["label"][0],
        }


class SurveillanceDataset(ClipMixin):
    def __init__(self, pattern, batch_size=32):
        self.pattern = pattern
        self.batch_size = batch_size

    @staticmethod
    def parse(record):
        ex = tf.io.parse_single_example(record, {
            "jpeg": tf.io.FixedLenFeature([], tf.string),
            "anomalous": tf.io.FixedLenFeature([], tf.int64),
        })
        frame = tf.io.decode_jpeg(ex["jpeg"], channels=3)
        frame = tf.ensure_shape(frame, [240, 320, 3])
        return {"rgb": frame, "label": ex["anomalous"]}

    def build(self):
        frames = tf.data.TFRecordDataset(tf.io.gfile.glob(self.pattern))
        frames = frames.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = self.clips(frames).shuffle(500)
        ds = ds.map(lambda c: (tf.concat([c["mean"], c["motion"]], -1), c["label"]))
        return ds.batch(self.batch_size).prefetch(2)


def main():
    model = tf.keras.applications.MobileNetV2(
        weights=None, input_shape=(240, 320, 6), classes=2)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(SurveillanceDataset("/data/ucf_crime/train-*.tfrecord").build(), epochs=15)


if __name__ == "__main__":
    main()
