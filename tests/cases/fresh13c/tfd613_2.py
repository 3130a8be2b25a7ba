"""Distributed speech enhancement, hand-written loop in half precision."""
import tensorflow as tf
from absl import app, flags

flags.DEFINE_string("pattern", "/data/dns/train-*.tfrecord", "Records")
flags.DEFINE_integer("global_batch", 128, "Batch over all replicas")
flags.DEFINE_integer("steps", 80_000, "Steps")
flags.DEFINE_string("precision", "mixed_float16", "Keras policy")
FLAGS = flags.FLAGS


def spectra(pattern, batch):
    spec = {"noisy": tf.io.FixedLenFeature([200, 257], tf.float32),
            "mask": tf.io.FixedLenFeature([200, 257], tf.float32)}
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(4096).repeat().batch(batch, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, spec), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def enhancer():
    inp = tf.keras.Input((200, 257))
    x = tf.keras.layers.Dense(512, activation="relu")(inp)
    for _ in range(3):
        x = tf.keras.layers.GRU(512, return_sequences=True)(x)
    x = tf.keras.layers.Dense(257)(x)
    return tf.keras.Model(inp, tf.keras.layers.Activation("sigmoid", dtype="float32")(x))


def main(_):
    tf.keras.mixed_precision.set_global_policy(FLAGS.precision)
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = enhancer()
        optimizer = tf.keras.optimizers.Adam(3e-4)
        optimizer.build(model.trainable_variables)

    def replica_step(batch):
        with tf.GradientTape() as tape:
            mask = model(batch["noisy"], training=True)
            per_clip = tf.reduce_mean(tf.square(mask - batch["mask"]), axis=[1, 2])
            loss = tf.nn.compute_average_loss(per_clip, global_batch_size=FLAGS.global_batch)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    @tf.function
    def step(batch):
        return strategy.reduce(tf.distribute.ReduceOp.SUM, strategy.run(replica_step, args=(batch,)), axis=None)

    data = iter(strategy.experimental_distribute_dataset(spectra(FLAGS.pattern, FLAGS.global_batch)))
    for n in range(FLAGS.steps):
        loss = step(next(data))
        if n % 1000 == 0:
            print(n, float(loss))
    model.save("/models/enhancer.keras")


if __name__ == "__main__":
    app.run(main)
