import tensorflow as tf
from tqdm import tqdm


class Trainer:
    def __init__(self, model, lr=1e-3, log_every=200):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(lr)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.mean = tf.keras.metrics.Mean()
        self.log_every = log_every
        self.history = []

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.model(x, training=True))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        self.mean.update_state(loss)

    def fit(self, dataset, epochs):
        for epoch in range(epochs):
            bar = tqdm(dataset, desc=f"epoch {epoch}")
            for i, (x, y) in enumerate(bar, start=1):
                self.train_step(x, y)
                if i % self.log_every == 0:
                    self.history.append(float(self.mean.result()))
                    bar.set_postfix(loss=f"{self.history[-1]:.4f}")
                    self.mean.reset_state()


def main():
    train = tf.keras.utils.image_dataset_from_directory(
        "/data/food/train", image_size=(160, 160), batch_size=64)
    model = tf.keras.applications.EfficientNetB0(
        weights=None, classes=101, classifier_activation=None, input_shape=(160, 160, 3))
    Trainer(model).fit(train.prefetch(tf.data.AUTOTUNE), epochs=5)


if __name__ == "__main__":
    main()
