import tensorflow as tf
import tensorflow_datasets as tfds


class LoopTrainer:
    def __init__(self, model, classes):
        self.model = model
        self.classes = classes
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy()
        self.optimizer = tf.keras.optimizers.Adam()

    def encode(self, image, label):
        return tf.cast(image, tf.float32) / 255.0, tf.one_hot(label, self.classes)

    def data(self):
        ds = tfds.load("kmnist", split="train", as_supervised=True, shuffle_files=True)
        ds = ds.shuffle(10_000)
        ds = ds.map(self.encode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(128).prefetch(tf.data.AUTOTUNE)

    @tf.function
    def step(self, images, labels):
        with tf.GradientTape() as tape:
            loss = self.loss(labels, self.model(images, training=True))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def train(self, epochs):
        for epoch in range(epochs):
            for images, labels in self.data():
                loss = self.step(images, labels)
            print(epoch, float(loss))


network = tf.keras.Sequential([
    tf.keras.Input((28, 28, 1)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
LoopTrainer(network, classes=10).train(epochs=5)
