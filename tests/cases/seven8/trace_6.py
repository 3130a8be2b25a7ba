"""Behaviour cloning from 5M logged driving frames with an optional profiling section."""
import contextlib
import dataclasses

import tensorflow as tf
from tensorflow.profiler import experimental as profiler


@dataclasses.dataclass
class RunConfig:
    shards: str = "/data/drive/frames-*.tfrecord"
    batch_size: int = 128
    steps_per_epoch: int = 40_000
    epochs: int = 6
    profile_dir: str = "/exp/bc/plugins"
    profile_steps: int = 50


@contextlib.contextmanager
def profiled(logdir, enabled=True):
    """Records a TensorBoard profile of the enclosed block."""
    if enabled:
        profiler.start(logdir)
    try:
        yield
    finally:
        if enabled:
            profiler.stop()


def frames(cfg):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {
            "jpg": tf.io.FixedLenFeature([], tf.string),
            "speed": tf.io.FixedLenFeature([1], tf.float32),
            "control": tf.io.FixedLenFeature([2], tf.float32)})
        img = tf.image.resize(tf.io.decode_jpeg(ex["jpg"], channels=3, ratio=2), [96, 192])
        return img / 255.0, ex["speed"] / 30.0, ex["control"]

    files = tf.data.Dataset.list_files(cfg.shards)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16,
                          num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(cfg.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def policy():
    img, speed = tf.keras.Input((96, 192, 3)), tf.keras.Input((1,))
    x = img
    for ch, k, s in ((24, 5, 2), (36, 5, 2), (48, 5, 2), (64, 3, 1), (64, 3, 1)):
        x = tf.keras.layers.Conv2D(ch, k, s, activation="elu")(x)
    x = tf.keras.layers.Concatenate()([tf.keras.layers.Flatten()(x), speed])
    for u in (256, 64):
        x = tf.keras.layers.Dense(u, activation="elu")(x)
    return tf.keras.Model([img, speed], tf.keras.layers.Dense(2, activation="tanh")(x))


def train_steps(iterator, step_fn, n):
    loss = None
    for _ in range(n):
        loss = step_fn(next(iterator))
    return loss


def main():
    cfg = RunConfig()
    model, opt = policy(), tf.keras.optimizers.Adam(3e-4)

    @tf.function
    def step(batch):
        img, speed, control = batch
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(model([img, speed], training=True) - control))
        v = model.trainable_variables
        opt.apply_gradients(zip(tape.gradient(loss, v), v))
        return loss

    it = iter(frames(cfg))
    train_steps(it, step, 200)  # warm up
    with profiled(cfg.profile_dir):
        train_steps(it, step, cfg.profile_steps)
    for epoch in range(cfg.epochs):
        loss = train_steps(it, step, cfg.steps_per_epoch)
        print("epoch", epoch, "mae", float(loss))
        model.save(f"/exp/bc/policy_{epoch}.keras")


if __name__ == "__main__":
    main()
