from dataclasses import dataclass, field

import tensorflow as tf


@dataclass
class ProfileOptions:
    logdir: str = "logs/detector"
    begin: int = 200
    window: int = 300

    @property
    def end(self):
        return self.begin + self.window


@dataclass
class RunOptions:
    records: str = "/data/boxes/train-*.tfrecord"
    batch_size: int = 32
    steps: int = 30_000
    profile: ProfileOptions = field(default_factory=ProfileOptions)


SPEC = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "center": tf.io.FixedLenFeature([2], tf.float32),
    "extent": tf.io.FixedLenFeature([2], tf.float32),
}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    image = tf.image.resize(tf.io.decode_jpeg(ex["image"], channels=3), [256, 256])
    return image / 255.0, tf.concat([ex["center"], ex["extent"]], axis=0)


def dataset(options):
    files = tf.data.Dataset.list_files(options.records, shuffle=True)
    ds = files.interleave(
        tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False
    )
    ds = ds.shuffle(2000).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(options.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def detector():
    layers = [tf.keras.Input([256, 256, 3])]
    for width in (32, 64, 128, 256):
        layers.append(tf.keras.layers.Conv2D(width, 3, strides=2, padding="same", activation="relu"))
    layers += [tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(4)]
    return tf.keras.Sequential(layers)


def train(options):
    model = detector()
    optimizer = tf.keras.optimizers.Adam(2e-4)
    loss_fn = tf.keras.losses.Huber()

    @tf.function
    def update(images, boxes):
        with tf.GradientTape() as tape:
            loss = loss_fn(boxes, model(images, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    batches = iter(dataset(options))
    for step in range(options.steps):
        if step == options.profile.begin:
            tf.profiler.experimental.start(options.profile.logdir)
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            loss = update(*next(batches))
        if step == options.profile.end:
            tf.profiler.experimental.stop()
        if step % 1000 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    train(RunOptions())
