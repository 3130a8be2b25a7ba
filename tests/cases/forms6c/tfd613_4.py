from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_bool("amp", True, "Compute in float16.")
flags.DEFINE_string("pattern", "/data/lm/train-*.tfrecord", "Training records.")
flags.DEFINE_integer("steps", 50_000, "Training steps.")


def dataset():
    spec = {"ids": tf.io.FixedLenFeature([257], tf.int64)}
    ds = tf.data.Dataset.list_files(FLAGS.pattern, shuffle=True)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                       deterministic=False)
    ds = ds.shuffle(50_000).repeat().batch(64, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, spec)["ids"],
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def language_model():
    layers = tf.keras.layers
    return tf.keras.Sequential([
        layers.Embedding(32_000, 768),
        layers.LSTM(1024, return_sequences=True),
        layers.Dense(32_000),
        layers.Activation("linear", dtype="float32"),
    ])


def main(_):
    if FLAGS.amp:
        tf.keras.mixed_precision.set_global_policy("mixed_float16")
    model = language_model()
    optimizer = tf.keras.optimizers.LossScaleOptimizer(tf.keras.optimizers.Adam(3e-4))
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    mean_loss = tf.keras.metrics.Mean()

    @tf.function
    def train_step(ids):
        with tf.GradientTape() as tape:
            loss = loss_fn(ids[:, 1:], model(ids[:, :-1], training=True))
            scaled = optimizer.scale_loss(loss)
        grads = tape.gradient(scaled, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        mean_loss.update_state(loss)

    iterator = iter(dataset())
    for step in range(FLAGS.steps):
        train_step(next(iterator))
        if step % 500 == 0:
            print(step, float(mean_loss.result()))
            mean_loss.reset_state()


if __name__ == "__main__":
    app.run(main)
