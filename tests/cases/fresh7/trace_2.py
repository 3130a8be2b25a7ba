import glob

import tensorflow as tf


class Trainer:
    profile_from, profile_to = 20, 40

    def __init__(self, model, logdir):
        self.model = model
        self.logdir = logdir
        self.optimizer = tf.keras.optimizers.SGD(0.05, momentum=0.9)
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(self, tokens, label):
        with tf.GradientTape() as tape:
            loss = self.loss(label, self.model(tokens, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def run(self, batches, steps):
        step = 0
        for tokens, label in batches:
            if step == self.profile_from:
                tf.profiler.experimental.start(self.logdir)
            loss = self.train_step(tokens, label)
            if step == self.profile_to:
                tf.profiler.experimental.stop()
            if step % 100 == 0:
                tf.print("step", step, "loss", loss)
            step += 1
            if step == steps:
                break


FEATURES = {
    "tokens": tf.io.FixedLenFeature([64], tf.int64),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(serialized):
    example = tf.io.parse_example(serialized, FEATURES)
    return example["tokens"], example["label"]


shards = sorted(glob.glob("data/news/*.tfrecord"))
news = tf.data.TFRecordDataset(shards, num_parallel_reads=tf.data.AUTOTUNE)
news = news.shuffle(8192).repeat().batch(128)
news = news.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
classifier = tf.keras.Sequential([
    tf.keras.layers.Embedding(30_000, 96),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(20),
])
Trainer(classifier, "logs/news").run(news, steps=5000)
