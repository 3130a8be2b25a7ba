from contextlib import ExitStack
from dataclasses import dataclass

import tensorflow as tf
from tqdm import tqdm


@dataclass
class RunConfig:
    pattern: str = "/scratch/era5/{year}/*.tfrecord"
    logdir: str = "/scratch/tb"
    first_profiled: int = 40
    profiled: int = 6
    max_steps: int = 80_000


def fields(raw):
    ex = tf.io.parse_single_example(raw, {
        "now": tf.io.FixedLenFeature([], tf.string),
        "next": tf.io.FixedLenFeature([], tf.string)})
    now, nxt = (tf.io.parse_tensor(ex[k], tf.float16) for k in ("now", "next"))
    shape = (181, 360, 20)
    return tf.cast(tf.reshape(now, shape), tf.float32), tf.cast(tf.reshape(nxt, shape), tf.float32)


def make_input(cfg):
    files = [f for y in range(1980, 2016) for f in tf.io.gfile.glob(cfg.pattern.format(year=y))]
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files)).repeat()
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=12,
                       num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(256).map(fields, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(8, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def forecast_net():
    inp = x = tf.keras.Input((181, 360, 20))
    for rate in (1, 2, 4, 8, 1):
        x = tf.keras.layers.Conv2D(128, 5, dilation_rate=rate, padding="same", activation="elu")(x)
    return tf.keras.Model(inp, inp + tf.keras.layers.Conv2D(20, 1)(x))


def train(cfg):
    net, opt = forecast_net(), tf.keras.optimizers.Adam(2e-4)

    @tf.function
    def train_step(now, nxt):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net(now, training=True) - nxt))
        opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss

    for step, (now, nxt) in zip(range(cfg.max_steps), tqdm(make_input(cfg))):
        if step == cfg.first_profiled:
            tf.profiler.experimental.start(cfg.logdir)
        with ExitStack() as stack:
            if cfg.first_profiled <= step < cfg.first_profiled + cfg.profiled:
                stack.enter_context(tf.profiler.experimental.Trace("step", step_num=step, _r=1))
            loss = train_step(now, nxt)
        if step == cfg.first_profiled + cfg.profiled:
            tf.profiler.experimental.stop()
    net.save_weights("era5")
    return loss


if __name__ == "__main__":
    print(train(RunConfig()))
