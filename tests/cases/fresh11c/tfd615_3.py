import tensorflow as tf


class ReplicaTrainer:
    def __init__(self, model_fn, lr=1e-3):
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        self.devices = [d.name for d in tf.config.list_logical_devices("GPU")]
        self.strategy = tf.distribute.MirroredStrategy(self.devices)
        with self.strategy.scope():
            self.model = model_fn()
            self.optimizer = tf.keras.optimizers.SGD(lr, momentum=0.9)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(
            from_logits=True, reduction="none")

    def replica_step(self, x, y, global_batch):
        with tf.GradientTape() as tape:
            losses = self.loss_fn(y, self.model(x, training=True))
            loss = tf.nn.compute_average_loss(losses, global_batch_size=global_batch)
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

    @tf.function
    def train_batch(self, x, y):
        self.strategy.run(self.replica_step, args=(x, y, 256))

    def fit(self, dataset, epochs):
        dataset = self.strategy.experimental_distribute_dataset(dataset)
        for _ in range(epochs):
            for x, y in dataset:
                self.train_batch(x, y)


def model_fn():
    return tf.keras.applications.ResNet50(weights=None, classifier_activation=None)


if __name__ == "__main__":
    ds = tf.keras.utils.image_dataset_from_directory(
        "/data/imagenet/train", image_size=(224, 224), batch_size=None)
    ds = ds.shuffle(1024).batch(256, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    for name in [d.name for d in tf.config.list_physical_devices("GPU")]:
        print("training on", name)
    ReplicaTrainer(model_fn).fit(ds, epochs=90)
