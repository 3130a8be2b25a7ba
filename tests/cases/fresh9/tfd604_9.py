"""Adversarial training (FGSM) on top of a plain classifier trainer."""
import tensorflow as tf
import tensorflow_datasets as tfds


class BaseTrainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.model(x, training=True))
        self.update(tape, loss)
        return loss

    def update(self, tape, loss):
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))

    def fit(self, dataset, epochs):
        for epoch in range(epochs):
            mean = tf.keras.metrics.Mean()
            for x, y in dataset:
                mean.update_state(self.train_step(x, y))
            print(epoch, float(mean.result()))


class FGSMTrainer(BaseTrainer):
    epsilon = 8 / 255

    def perturb(self, x, y):
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = self.loss_fn(y, self.model(x, training=False))
        return tf.clip_by_value(x + self.epsilon * tf.sign(tape.gradient(loss, x)), 0.0, 1.0)

    def train_step(self, x, y):
        adversarial = self.perturb(x, y)
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.model(adversarial, training=True))
        self.update(tape, loss)
        return loss


def main():
    ds = tfds.load("cifar10", split="train", as_supervised=True, shuffle_files=True)
    ds = ds.cache().shuffle(50_000).batch(128)
    ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), tf.data.AUTOTUNE)
    model = tf.keras.applications.ResNet50(
        weights=None, input_shape=(32, 32, 3), classes=10, classifier_activation=None)
    trainer = FGSMTrainer(model, tf.keras.optimizers.SGD(0.05, 0.9))
    trainer.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=80)


if __name__ == "__main__":
    main()
