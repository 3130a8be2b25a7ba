import tensorflow as tf


class MultiGpuTrainer:
    def __init__(self, build_model, global_batch):
        self.global_batch = global_batch
        self.strategy = tf.distribute.MirroredStrategy()
        with self.strategy.scope():
            self.model = build_model()
            self.optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
            self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(
                from_logits=True, reduction="none")

    def replica_step(self, images, labels):
        with tf.GradientTape() as tape:
            losses = self.loss_fn(labels, self.model(images, training=True))
            loss = tf.nn.compute_average_loss(losses, global_batch_size=self.global_batch)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))

    @tf.function
    def train_step(self, iterator):
        self.strategy.run(self.replica_step, args=next(iterator))

    def fit(self, dataset, steps):
        iterator = iter(self.strategy.experimental_distribute_dataset(dataset))
        for _ in range(steps):
            self.train_step(iterator)


def parse(record):
    parsed = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(parsed["image"], channels=3)
    return tf.image.resize(image, [224, 224]) / 255.0, parsed["label"]


def training_data(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                       deterministic=False)
    ds = ds.shuffle(10_000).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    trainer = MultiGpuTrainer(
        lambda: tf.keras.applications.ResNet50(weights=None, classifier_activation=None), 1024)
    trainer.fit(training_data("/imagenet/train-*", 1024), steps=100_000)
