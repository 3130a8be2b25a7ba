"""Hotel image ranking with a custom profiling callback."""
import tensorflow as tf
from tensorflow import keras


class ProfileAfterWarmup(keras.callbacks.Callback):
    def __init__(self, logdir, first=40, last=48):
        super().__init__()
        self.logdir = logdir
        self.first = first
        self.last = last
        self.seen = 0

    def on_train_batch_begin(self, batch, logs=None):
        if self.seen == self.first:
            tf.profiler.experimental.start(self.logdir)

    def on_train_batch_end(self, batch, logs=None):
        self.seen += 1
        if self.seen == self.last:
            print("profile written to", self.logdir)


def photos(root, batch):
    def decode(path):
        score = tf.strings.to_number(tf.strings.split(tf.strings.split(path, "/")[-1], "_")[0])
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(img, (240, 240)), score

    ds = tf.data.Dataset.list_files(root + "/*.jpg")
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    trunk = keras.applications.EfficientNetB1(include_top=False, pooling="avg", input_shape=(240, 240, 3))
    model = keras.Model(trunk.input, keras.layers.Dense(1)(trunk.output))
    model.compile(keras.optimizers.Adam(1e-4), "mse")
    model.fit(photos("/data/hotels/train", 64), epochs=10,
              callbacks=[ProfileAfterWarmup("/logs/hotels")])


if __name__ == "__main__":
    main()
