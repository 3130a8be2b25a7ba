import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("pattern", "/data/audio/*.tfrecord", "Input files.")
flags.DEFINE_integer("batch_size", 128, "Batch size.")
flags.DEFINE_string("logdir", "/tmp/audio", "Where the profile goes.")


def parse(serialized):
    ex = tf.io.parse_example(serialized, {
        "mel": tf.io.FixedLenFeature([96, 64], tf.float32),
        "word": tf.io.FixedLenFeature([], tf.int64),
    })
    return ex["mel"], ex["word"]


def main(_):
    ds = tf.data.Dataset.list_files(FLAGS.pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(20_000).batch(FLAGS.batch_size, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(128, 3, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(35),
    ])
    opt = tf.keras.optimizers.Adam()

    @tf.function
    def learn(mel, word):
        with tf.GradientTape() as tape:
            logits = model(mel, training=True)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(word, logits))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

    iterator = iter(ds)
    tf.profiler.experimental.start(FLAGS.logdir)
    step = 0
    optional = iterator.get_next_as_optional()
    while optional.has_value():
        mel, word = optional.get_value()
        with tf.profiler.experimental.Trace("learn", step_num=step, _r=1):
            learn(mel, word)
        optional = iterator.get_next_as_optional()
        step += 1
    tf.profiler.experimental.stop()


if __name__ == "__main__":
    app.run(main)
