import tensorflow as tf
from tensorflow.keras import layers


class VolumeDataset:
    batch_size = 4

    def __init__(self, pattern):
        self.pattern = pattern

    def source(self):
        names = tf.io.gfile.glob(self.pattern)
        ds = tf.data.TFRecordDataset(names, compression_type="GZIP", num_parallel_reads=tf.data.AUTOTUNE)
        return ds.cache()

    def prepare(self, rec):
        raise NotImplementedError

    def build(self, n):
        ds = self.source()
        ds = ds.shuffle(n)
        ds = ds.map(self.prepare, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        return ds.prefetch(2)


class LungCT(VolumeDataset):
    shape = (64, 96, 96)
    spec = {
        "vol": tf.io.FixedLenFeature([], tf.string),
        "dims": tf.io.FixedLenFeature([3], tf.int64),
        "malignant": tf.io.FixedLenFeature([], tf.int64),
    }

    def prepare(self, rec):
        ex = tf.io.parse_single_example(rec, self.spec)
        vol = tf.reshape(tf.io.decode_raw(ex["vol"], tf.int16), ex["dims"])
        vol = tf.clip_by_value(tf.cast(vol, tf.float32), -1000.0, 400.0)
        d, h, w = self.shape
        vol = tf.image.resize(vol[..., tf.newaxis], (h, w), antialias=True)[..., 0]
        vol = tf.image.resize(tf.transpose(vol, [1, 0, 2])[..., tf.newaxis], (d, w))[..., 0]
        vol = tf.ensure_shape(tf.transpose(vol, [1, 0, 2]), self.shape)
        return (vol[..., tf.newaxis] + 1000.0) / 1400.0, ex["malignant"]


def net():
    return tf.keras.Sequential([
        layers.Conv3D(16, 3, activation="relu"),
        layers.MaxPool3D(),
        layers.Conv3D(32, 3, activation="relu"),
        layers.GlobalAveragePooling3D(),
        layers.Dense(1, activation="sigmoid"),
    ])


def main():
    ds = LungCT("/data/luna/train-*.tfrecord.gz").build(n=1800)
    model, opt = net(), tf.keras.optimizers.Adam(1e-4)
    bce = tf.keras.losses.BinaryCrossentropy()

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = bce(y[:, None], model(x, training=True))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    for epoch in range(80):
        for x, y in ds:
            loss = step(x, y)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
