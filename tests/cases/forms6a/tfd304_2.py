import tensorflow as tf

STEPS_PER_EPOCH = 400
BATCH_SIZE = 64
LENGTH = 256
BUCKETS = 50_000


def featurize(line):
    parts = tf.strings.split(line, "\t", maxsplit=1)
    text = tf.strings.lower(parts[1])
    text = tf.strings.regex_replace(text, r"<[^>]+>|https?://\S+", " ")
    words = tf.strings.split(tf.strings.regex_replace(text, r"[^a-z0-9 ]+", " "))
    ids = tf.strings.to_hash_bucket_fast(words[:LENGTH], BUCKETS - 1) + 1
    ids = tf.pad(ids, [[0, LENGTH - tf.shape(ids)[0]]])
    return tf.ensure_shape(ids, [LENGTH]), tf.strings.to_number(parts[0], tf.int32)


def forum_posts(pattern):
    # About 4 million posts.
    files = tf.data.Dataset.list_files(pattern, shuffle=False)
    ds = files.interleave(tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(featurize, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache("/local_ssd/forum_posts")
    ds = ds.shuffle(10_000).batch(BATCH_SIZE, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam()
        self.loss = tf.keras.metrics.Mean()

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(
                y, self.model(x, training=True), from_logits=True))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        self.loss.update_state(loss)

    def run(self, dataset, epochs):
        for epoch in range(epochs):
            self.loss.reset_state()
            for i, (x, y) in enumerate(dataset):
                if i >= STEPS_PER_EPOCH:
                    break
                self.step(x, y)
            tf.print("epoch", epoch, "loss", self.loss.result())
            self.model.save_weights(f"/tmp/forum_{epoch:03d}.weights.h5")


def main():
    net = tf.keras.Sequential([
        tf.keras.layers.Embedding(BUCKETS, 128),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(120),
    ])
    Trainer(net).run(forum_posts("/data/forum/train-*.tsv"), epochs=50)


if __name__ == "__main__":
    main()
