import contextlib
from dataclasses import dataclass, field

import tensorflow as tf


@dataclass
class RunConfig:
    pattern: str = "/data/coco/train-*.tfrecord"
    logdir: str = "/tmp/coco/tb"
    global_batch: int = 128
    profile_steps: set = field(default_factory=lambda: set(range(300, 315)))
    total: int = 90_000


def step_scope(cfg, step):
    if step in cfg.profile_steps:
        return tf.profiler.experimental.Trace("train", step_num=step, _r=1)
    return contextlib.nullcontext()


def dataset(cfg):
    def parse(rec):
        f = tf.io.parse_single_example(rec, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "multi_hot": tf.io.FixedLenFeature([80], tf.float32),
        })
        return tf.image.resize(tf.io.decode_jpeg(f["image"], channels=3), (256, 256)), f["multi_hot"]

    ds = tf.data.Dataset.list_files(cfg.pattern).interleave(
        tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE
    )
    ds = ds.shuffle(5000).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(cfg.global_batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(cfg=RunConfig()):
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.applications.ResNet50(weights=None, classes=80, classifier_activation=None)
        opt = tf.keras.optimizers.SGD(0.05, momentum=0.9)

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            ce = tf.nn.sigmoid_cross_entropy_with_logits(y, model(x, training=True))
            loss = tf.nn.compute_average_loss(tf.reduce_sum(ce, -1), global_batch_size=cfg.global_batch)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    @tf.function
    def train_step(inputs):
        losses = strategy.run(replica_step, args=inputs)
        return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    feed = iter(strategy.experimental_distribute_dataset(dataset(cfg)))
    step = 0
    while step < cfg.total:
        if step == min(cfg.profile_steps):
            tf.profiler.experimental.start(cfg.logdir)
        inputs = next(feed)
        with contextlib.ExitStack() as stack:
            stack.enter_context(step_scope(cfg, step))
            loss = train_step(inputs)
        if step == max(cfg.profile_steps):
            tf.profiler.experimental.stop()
        step += 1
        if step % 500 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
