import tensorflow as tf


class TowerTrainer:
    def __init__(self, model_fn, lr=1e-3):
        self.devices = [d.name for d in tf.config.list_logical_devices("GPU")]
        self.towers = []
        for name in self.devices:
            with tf.device(name):
                self.towers.append(model_fn())
        self.optimizer = tf.keras.optimizers.SGD(lr, momentum=0.9)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def compute_gradients(self, tower, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, tower(x, training=True))
        return loss, tape.gradient(loss, tower.trainable_variables)

    def train_batch(self, x, y):
        xs = tf.split(x, len(self.devices))
        ys = tf.split(y, len(self.devices))
        collected, total = [], 0.0
        for tower, name, part, target in zip(self.towers, self.devices, xs, ys):
            with tf.device(name):
                loss, grads = self.compute_gradients(tower, part, target)
            total += float(loss)
            collected.append(grads)
        mean = [tf.add_n(g) / len(g) for g in zip(*collected)]
        main = self.towers[0].trainable_variables
        self.optimizer.apply_gradients(zip(mean, main))
        for tower in self.towers[1:]:
            for target, source in zip(tower.trainable_variables, main):
                target.assign(source)
        return total / len(self.towers)

    def fit(self, dataset, epochs):
        for _ in range(epochs):
            for x, y in dataset:
                self.train_batch(x, y)


def model_fn():
    return tf.keras.applications.ResNet50(weights=None, classifier_activation=None)


if __name__ == "__main__":
    ds = tf.keras.utils.image_dataset_from_directory(
        "/data/imagenet/train", image_size=(224, 224), batch_size=256)
    ds = ds.filter(lambda x, y: tf.shape(x)[0] == 256).prefetch(tf.data.AUTOTUNE)
    TowerTrainer(model_fn).fit(ds, epochs=90)
