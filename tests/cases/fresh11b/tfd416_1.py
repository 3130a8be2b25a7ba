import tensorflow as tf
import tensorflow_datasets as tfds


def prepare(split, batch_size, training):
    ds = tfds.load("mnist", split=split, as_supervised=True, shuffle_files=training)
    ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(60_000)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


class Trainer:
    def __init__(self, model, train, valid):
        self.model = model
        self.train = train
        self.valid = iter(valid)
        self.opt = tf.keras.optimizers.Adam()
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.acc = tf.keras.metrics.SparseCategoricalAccuracy()

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))

    def validate(self):
        self.acc.reset_state()
        for x, y in self.valid:
            self.acc.update_state(y, self.model(x, training=False))
        return float(self.acc.result())

    def fit(self, epochs):
        for epoch in range(epochs):
            for x, y in self.train:
                self.step(x, y)
            print(epoch, self.validate())


if __name__ == "__main__":
    net = tf.keras.Sequential([tf.keras.Input((28, 28, 1)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    Trainer(net, prepare("train", 128, True), prepare("test", 500, False)).fit(10)
