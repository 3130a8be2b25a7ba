"""Galaxy Zoo morphology, mixin based experiment; layout conversion on whole batches."""
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class DataMixin:
    pattern = "/data/galaxy_zoo/decals-train-*.tfrecord"
    image_size = 192
    answers = 34

    def _parse(self, rec):
        ex = tf.io.parse_single_example(rec, {
            "png": tf.io.FixedLenFeature([], tf.string),
            "votes": tf.io.FixedLenFeature([self.answers], tf.float32)})
        img = tf.io.decode_png(ex["png"], channels=3)
        img = tf.image.random_crop(img, [self.image_size, self.image_size, 3])
        img = tf.image.rot90(img, tf.random.uniform([], 0, 4, tf.int32))
        return img, ex["votes"]

    @staticmethod
    def _nhwc_to_nchw(images, votes):
        images = tf.cast(images, tf.float32) / 255.0
        return tf.transpose(images, perm=[0, 3, 1, 2]), votes

    def make_train_data(self):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE)
        ds = ds.shuffle(10_000).repeat()
        ds = ds.map(self._parse, num_parallel_calls=AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self._nhwc_to_nchw, num_parallel_calls=AUTOTUNE)
        return ds.prefetch(AUTOTUNE)


class ModelMixin:
    dim, depth, kernel, patch = 256, 8, 9, 8
    conv_args = dict(padding="same", data_format="channels_first")

    def make_model(self):
        L = tf.keras.layers
        inp = L.Input((3, self.image_size, self.image_size))
        x = L.Conv2D(self.dim, self.patch, self.patch, **self.conv_args)(inp)
        x = L.BatchNormalization(axis=1)(tf.keras.activations.gelu(x))
        for _ in range(self.depth):
            y = L.DepthwiseConv2D(self.kernel, activation="gelu", **self.conv_args)(x)
            x = L.Add()([L.BatchNormalization(axis=1)(y), x])
            x = L.Conv2D(self.dim, 1, activation="gelu", **self.conv_args)(x)
            x = L.BatchNormalization(axis=1)(x)
        x = L.GlobalAveragePooling2D(data_format="channels_first")(x)
        return tf.keras.Model(inp, L.Dense(self.answers, activation="softplus")(x))


class Experiment(DataMixin, ModelMixin):
    batch_size = 128
    steps = 250_000

    def __init__(self):
        self.strategy = tf.distribute.OneDeviceStrategy("/gpu:0")
        with self.strategy.scope():
            self.model = self.make_model()
            self.opt = tf.keras.optimizers.AdamW(1e-3, weight_decay=0.02)

    @tf.function
    def train_step(self, images, votes):
        with tf.GradientTape() as tape:
            conc = self.model(images, training=True) + 1.0
            loss = -tf.reduce_mean(tf.reduce_sum(
                tf.math.lgamma(conc + votes) - tf.math.lgamma(conc), -1)
                + tf.math.lgamma(tf.reduce_sum(conc, -1))
                - tf.math.lgamma(tf.reduce_sum(conc + votes, -1)))
        v = self.model.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, v), v))
        return loss

    def run(self):
        for step, (images, votes) in enumerate(self.make_train_data().take(self.steps)):
            loss = self.train_step(images, votes)
            if step % 500 == 0:
                print(step, float(loss))


if __name__ == "__main__":
    Experiment().run()
