from absl import app, flags, logging
import tensorflow as tf
import tensorflow_datasets as tfds

FLAGS = flags.FLAGS
flags.DEFINE_string("dataset", "imdb_reviews", "TFDS name")
flags.DEFINE_integer("batch_size", 64, "batch size")
flags.DEFINE_integer("epochs", 15, "epochs")
flags.DEFINE_bool("run_eagerly", True, "debug: run the Keras model eagerly")


class Reporter(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        logging.info("epoch %d: %s", epoch, logs)


def load(split, vectorize):
    ds = tfds.load(FLAGS.dataset, split=split, as_supervised=True,
                   shuffle_files=split == "train")
    if split == "train":
        ds = ds.shuffle(25_000)
    ds = ds.batch(FLAGS.batch_size)
    ds = ds.map(lambda t, y: (vectorize(t), y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.cache().prefetch(tf.data.AUTOTUNE) if split == "test" else ds.prefetch(2)


def transformer(vocab, width=256, heads=8, length=400):
    inputs = tf.keras.Input((length,), dtype=tf.int64)
    x = tf.keras.layers.Embedding(vocab, width)(inputs)
    for _ in range(4):
        a = tf.keras.layers.MultiHeadAttention(heads, width // heads)(x, x)
        x = tf.keras.layers.LayerNormalization()(x + a)
        f = tf.keras.layers.Dense(width)(tf.keras.layers.Dense(4 * width, "gelu")(x))
        x = tf.keras.layers.LayerNormalization()(x + f)
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x))


def main(_):
    vectorize = tf.keras.layers.TextVectorization(max_tokens=20_000, output_sequence_length=400)
    texts = tfds.load(FLAGS.dataset, split="train", as_supervised=True).map(lambda t, y: t)
    vectorize.adapt(texts.batch(1024))
    model = transformer(20_000)
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-4),
        loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=["accuracy"],
        run_eagerly=FLAGS.run_eagerly,
    )
    model.fit(load("train", vectorize), validation_data=load("test", vectorize),
              epochs=FLAGS.epochs, callbacks=[Reporter()])


if __name__ == "__main__":
    app.run(main)
