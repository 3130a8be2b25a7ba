import argparse

import tensorflow as tf

FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


class ShardedImages:
    def __init__(self, pattern, batch_size, size=192):
        self.pattern = pattern
        self.batch_size = batch_size
        self.size = size

    def _parse(self, record):
        ex = tf.io.parse_single_example(record, FEATURES)
        image = tf.io.decode_jpeg(ex["image"], channels=3)
        image = tf.image.resize(image, [self.size, self.size]) / 255.0
        return image, ex["label"]

    def train_dataloader(self):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        records = files.interleave(tf.data.TFRecordDataset, cycle_length=16,
                                   num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        records = records.shuffle(8192)
        examples = records.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return examples.batch(self.batch_size, drop_remainder=True)


class Trainer:
    def __init__(self, model, max_epochs):
        self.model = model
        self.max_epochs = max_epochs
        self.optimizer = tf.keras.optimizers.AdamW(1e-3)
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def training_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def fit(self, datamodule):
        loader = datamodule.train_dataloader()
        for epoch in range(self.max_epochs):
            mean = tf.keras.metrics.Mean()
            for x, y in loader:
                mean.update_state(self.training_step(x, y))
            print(f"epoch {epoch}: {mean.result():.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--epochs", type=int, default=90)
    args = parser.parse_args()
    net = tf.keras.applications.MobileNetV3Small(weights=None, classes=1000, classifier_activation=None,
                                                 input_shape=(192, 192, 3))
    Trainer(net, args.epochs).fit(ShardedImages(args.data, 256))
