import tensorflow as tf
from tqdm import tqdm


class Trainer:
    def __init__(self, model, lr=1e-3):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(lr)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.history = []

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.model(x, training=True))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    def fit(self, dataset, epochs):
        for epoch in range(epochs):
            bar = tqdm(dataset, desc=f"epoch {epoch}")
            for x, y in bar:
                loss = self.train_step(x, y)
                self.history.append(float(loss))
                bar.set_postfix(loss=f"{self.history[-1]:.4f}")


def main():
    train = tf.keras.utils.image_dataset_from_directory(
        "/data/food/train", image_size=(160, 160), batch_size=64)
    model = tf.keras.applications.EfficientNetB0(
        weights=None, classes=101, classifier_activation=None, input_shape=(160, 160, 3))
    Trainer(model).fit(train.prefetch(tf.data.AUTOTUNE), epochs=5)


if __name__ == "__main__":
    main()
