import tensorflow as tf

PROFILE_FROM = 500
PROFILE_TO = 1000


class ProfileCallback(tf.keras.callbacks.Callback):
    def __init__(self, logdir):
        super().__init__()
        self.logdir = logdir
        self.seen = 0
        self.active = False

    def on_train_batch_begin(self, batch, logs=None):
        if self.seen == PROFILE_FROM:
            tf.profiler.experimental.start(self.logdir)
            self.active = True

    def on_train_batch_end(self, batch, logs=None):
        self.seen += 1
        if self.seen == PROFILE_TO and self.active:
            tf.profiler.experimental.stop()
            self.active = False

    def on_train_end(self, logs=None):
        if self.active:
            tf.profiler.experimental.stop()


def main():
    ds = tf.keras.utils.text_dataset_from_directory(
        "/data/reviews/train", batch_size=64)
    vectorize = tf.keras.layers.TextVectorization(
        vocabulary="/data/reviews/vocab.txt", output_sequence_length=300)
    ds = ds.map(lambda t, y: (vectorize(t), y), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.prefetch(tf.data.AUTOTUNE)
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(20_000, 64),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy")
    model.fit(ds, epochs=3, callbacks=[ProfileCallback("/tmp/profile")])


if __name__ == "__main__":
    main()
