import contextlib

import click
import tensorflow as tf
from tensorflow.profiler import experimental as profiler

FEATURES = {"emb": tf.io.FixedLenFeature([1024], tf.float32), "tags": tf.io.FixedLenFeature([3862], tf.float32)}


def videos(pattern, size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000).batch(size, drop_remainder=True)
    ds = ds.map(lambda rows: tf.io.parse_example(rows, FEATURES), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def forever(dataset):
    while True:
        yield from dataset


def mixture(experts=4):
    inputs = tf.keras.Input((1024,))
    gates = tf.keras.layers.Reshape((3862, experts + 1))(tf.keras.layers.Dense(3862 * (experts + 1))(inputs))
    each = tf.keras.layers.Reshape((3862, experts))(tf.keras.layers.Dense(3862 * experts)(inputs))
    mixed = tf.keras.layers.Multiply()([tf.keras.layers.Softmax()(gates)[..., :experts],
                                        tf.keras.layers.Activation("sigmoid")(each)])
    return tf.keras.Model(inputs, tf.keras.layers.Lambda(lambda t: tf.reduce_sum(t, -1))(mixed))


@click.command()
@click.option("--data", default="/data/yt8m/train*.tfrecord")
@click.option("--steps", default=100_000)
@click.option("--profile/--no-profile", default=True)
@click.option("--logdir", default="/tmp/yt8m")
def main(data, steps, profile, logdir):
    model, optimizer = mixture(), tf.keras.optimizers.Adam(1e-3)
    optimizer.build(model.trainable_variables)

    @tf.function
    def learn(emb, tags):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.keras.losses.binary_crossentropy(tags, model(emb, training=True)))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    for step, batch in enumerate(forever(videos(data, 1024))):
        if step == steps:
            break
        if profile and step == 100:
            profiler.start(logdir)
        with contextlib.ExitStack() as stack:
            if profile:
                stack.enter_context(profiler.Trace("yt8m", step_num=step, _r=1))
            loss = learn(batch["emb"], batch["tags"])
        if profile and step == 110:
            profiler.stop()
    click.echo(float(loss))


if __name__ == "__main__":
    main()
