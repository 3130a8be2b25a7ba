import keras
import tensorflow as tf


class ProfileCallback(keras.callbacks.Callback):
    def __init__(self, logdir, start_batch=50):
        super().__init__()
        self.logdir = logdir
        self.start_batch = start_batch
        self.started = False

    def on_train_batch_begin(self, batch, logs=None):
        if not self.started and batch == self.start_batch:
            tf.profiler.experimental.start(self.logdir)
            self.started = True

    def on_epoch_end(self, epoch, logs=None):
        print(f"epoch {epoch}: loss {logs['loss']:.4f}")


def text_data(pattern, vectorizer, batch_size):
    ds = tf.data.TextLineDataset(sorted(tf.io.gfile.glob(pattern)), num_parallel_reads=8)
    ds = ds.shuffle(50_000).batch(batch_size, drop_remainder=True)

    def split(lines):
        parts = tf.strings.split(lines, "\t", maxsplit=1).to_tensor(shape=[None, 2])
        return vectorizer(parts[:, 1]), tf.strings.to_number(parts[:, 0], tf.int32)

    return ds.map(split, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main():
    vectorizer = keras.layers.TextVectorization(
        output_sequence_length=200, vocabulary="/data/amazon/vocab.txt")
    train = text_data("/data/amazon/train-*.tsv", vectorizer, 512)
    model = keras.Sequential([
        keras.layers.Embedding(vectorizer.vocabulary_size(), 128),
        keras.layers.GlobalAveragePooling1D(),
        keras.layers.Dense(5),
    ])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, epochs=5, callbacks=[ProfileCallback("/logs/amazon")])
    model.save("/models/amazon.keras")


if __name__ == "__main__":
    main()
