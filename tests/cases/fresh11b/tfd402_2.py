from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("csv", "/data/taxi/*.csv", "Input files.")
flags.DEFINE_integer("threads", 0, "Size of a private threadpool, 0 for the shared one.")


def tune(dataset, threads):
    opts = tf.data.Options().merge(dataset.options())
    if threads:
        opts.threading.private_threadpool_size = threads
    opts.deterministic = False
    return dataset


def read():
    ds = tf.data.experimental.make_csv_dataset(
        FLAGS.csv, batch_size=256, label_name="fare",
        select_columns=["distance", "hour", "passengers", "fare"],
        num_epochs=1, shuffle_buffer_size=50_000, num_parallel_reads=4,
        prefetch_buffer_size=tf.data.AUTOTUNE)
    return tune(ds, FLAGS.threads)


def make_model():
    inputs = {n: tf.keras.Input((1,), name=n) for n in ("distance", "hour", "passengers")}
    x = tf.keras.layers.Concatenate()(list(inputs.values()))
    x = tf.keras.layers.Dense(64, activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x))


def main(_):
    model = make_model()
    model.compile("adam", "mse")
    model.fit(read(), epochs=4)


if __name__ == "__main__":
    app.run(main)
