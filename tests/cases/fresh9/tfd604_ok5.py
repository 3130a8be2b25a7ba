import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow import keras


class SimCLR(keras.Model):
    def __init__(self, temperature=0.1):
        super().__init__()
        self.temperature = temperature
        self.encoder = keras.applications.ResNet50V2(
            include_top=False, weights=None, pooling="avg", input_shape=(96, 96, 3))
        self.projection = keras.Sequential([
            keras.layers.Dense(256, activation="relu"), keras.layers.Dense(128)])
        self.augment = keras.Sequential([
            keras.layers.RandomFlip("horizontal"),
            keras.layers.RandomTranslation(0.2, 0.2),
            keras.layers.RandomZoom(0.3)])
        self.tracker = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.tracker]

    def contrast(self, a, b):
        a, b = tf.math.l2_normalize(a, 1), tf.math.l2_normalize(b, 1)
        logits = tf.matmul(a, b, transpose_b=True) / self.temperature
        labels = tf.range(tf.shape(a)[0])
        return tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(
            labels, logits, from_logits=True))

    def train_step(self, images):
        with tf.GradientTape() as tape:
            views = [self.projection(self.encoder(self.augment(images, training=True)))
                     for _ in range(2)]
            loss = self.contrast(*views)
        variables = self.encoder.trainable_weights + self.projection.trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}


def main():
    ds = tfds.load("stl10", split="unlabelled", shuffle_files=True).shuffle(5000)
    ds = ds.batch(256, drop_remainder=True)
    ds = ds.map(lambda b: tf.cast(b["image"], tf.float32) / 255.0, tf.data.AUTOTUNE)
    model = SimCLR()
    model.compile(optimizer=keras.optimizers.Adam())
    for cycle in range(4):
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=25)
        model.encoder.save(f"encoder_{cycle}.keras")


if __name__ == "__main__":
    main()
