import tensorflow as tf


class MultiGpuTrainer:
    def __init__(self, model, learning_rate=0.01):
        self.devices = [d.name for d in tf.config.list_logical_devices("GPU")]
        self.model = model
        self.optimizer = tf.keras.optimizers.SGD(learning_rate, momentum=0.9)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.mean_loss = tf.keras.metrics.Mean()

    @tf.function
    def train_step(self, images, labels):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(labels, self.model(images, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        self.mean_loss.update_state(loss)

    def fit(self, dataset, steps):
        iterator = iter(dataset)
        for step in range(steps):
            for device in self.devices:
                images, labels = next(iterator)
                with tf.device(device):
                    self.train_step(images, labels)
            if step % 500 == 0:
                print(step, float(self.mean_loss.result()))


def parse(record):
    parsed = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(parsed["image"], channels=3)
    return tf.image.resize(image, [224, 224]) / 255.0, parsed["label"]


def training_data(pattern):
    ds = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                       deterministic=False)
    ds = ds.shuffle(10_000).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(128, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    net = tf.keras.applications.ResNet50(weights=None, classifier_activation=None)
    MultiGpuTrainer(net).fit(training_data("/imagenet/train-*"), steps=100_000)
