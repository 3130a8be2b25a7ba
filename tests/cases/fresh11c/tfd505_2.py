import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class RunConfig:
    files: tuple[str, ...]
    logdir: str = "/tmp/logs"
    profile: bool = True
    steps: int = 8


def batches(cfg):
    spec = {"x": tf.io.FixedLenFeature([256], tf.float32),
            "y": tf.io.FixedLenFeature([], tf.int64)}
    ds = tf.data.TFRecordDataset(list(cfg.files), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).repeat().batch(512, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, spec), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def make_step(model, optimizer):
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step_fn(batch):
        with tf.GradientTape() as tape:
            loss = loss_fn(batch["y"], model(batch["x"], training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss
    return step_fn


def profile_run(cfg: RunConfig, model):
    step_fn = make_step(model, tf.keras.optimizers.Adam())
    it = iter(batches(cfg))
    for _ in range(20):
        step_fn(next(it))
    if cfg.profile:
        tf.profiler.experimental.start(cfg.logdir)
    for step in range(cfg.steps):
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            step_fn(next(it))
    model.save(f"{cfg.logdir}/model.keras")
