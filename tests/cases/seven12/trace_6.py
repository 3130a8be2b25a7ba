from dataclasses import dataclass

import tensorflow as tf


@dataclass(frozen=True)
class Run:
    data: str = "/data/era5/*.tfrecord"
    batch: int = 64
    logdir: str = "/tmp/prof/era5"
    first: int = 50
    last: int = 80


def fields(run):
    spec = {"x": tf.io.FixedLenFeature([64, 64, 6], tf.float32),
            "y": tf.io.FixedLenFeature([64, 64, 2], tf.float32)}
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(run.data), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(4096).batch(run.batch, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, spec), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def unet():
    i = tf.keras.Input((64, 64, 6))
    a = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(i)
    b = tf.keras.layers.Conv2D(128, 3, 2, padding="same", activation="relu")(a)
    c = tf.keras.layers.UpSampling2D()(b)
    return tf.keras.Model(i, tf.keras.layers.Conv2D(2, 1)(tf.keras.layers.Concatenate()([a, c])))


def train(run):
    model, opt = unet(), tf.keras.optimizers.AdamW(1e-4)

    @tf.function
    def step_fn(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(batch["x"], training=True) - batch["y"]))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables),
                                model.trainable_variables))
        return loss

    it = iter(fields(run))
    current, step = next(it, None), 0
    while current is not None:
        if step == run.first:
            tf.profiler.experimental.start(run.logdir)
        marker = tf.profiler.experimental.Trace("train", step_num=step, _r=1)
        with marker:
            loss = step_fn(current)
        if step == run.last:
            tf.profiler.experimental.stop()
        if step % 100 == 0:
            tf.print("step", step, "loss", loss)
        current = next(it, None)
        step += 1
    model.save("/tmp/era5.keras")


if __name__ == "__main__":
    train(Run())
