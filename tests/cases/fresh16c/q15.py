import datetime
import itertools
import os

import tensorflow as tf


class Board:
    def __init__(self, root):
        stamp = datetime.datetime.now().strftime("%m%d-%H%M")
        self.writer = tf.summary.create_file_writer(os.path.join(root, stamp))

    def report(self, step, model, values):
        with self.writer.as_default(step=step):
            for name, value in values.items():
                tf.summary.scalar(name, value)
            for var in model.trainable_variables:
                tf.summary.histogram(var.path, var)
        self.writer.flush()


def parse(raw):
    ex = tf.io.parse_single_example(raw, {
        "jpeg": tf.io.FixedLenFeature([], tf.string),
        "heat": tf.io.FixedLenFeature([52 * 52], tf.float32),
        "size": tf.io.FixedLenFeature([52 * 52 * 2], tf.float32),
    })
    image = tf.image.resize(tf.io.decode_jpeg(ex["jpeg"], channels=3), (416, 416)) / 255.0
    return image, tf.reshape(ex["heat"], [52, 52, 1]), tf.reshape(ex["size"], [52, 52, 2])


def traffic_signs(pattern, batch):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(4000).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def detector():
    x = inp = tf.keras.Input((416, 416, 3))
    for ch in (32, 64, 128):
        x = tf.keras.layers.Conv2D(ch, 3, strides=2, padding="same", activation="relu")(x)
    heat = tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(x)
    size = tf.keras.layers.Conv2D(2, 1)(x)
    return tf.keras.Model(inp, [heat, size])


def make_step(model, opt):
    @tf.function
    def step(image, heat, size):
        with tf.GradientTape() as tape:
            ph, ps = model(image, training=True)
            focal = tf.reduce_mean(tf.keras.losses.binary_focal_crossentropy(heat, ph))
            l1 = tf.reduce_mean(tf.abs(ps - size) * heat)
            loss = focal + 0.1 * l1
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return {"loss": loss, "focal": focal, "l1": l1}

    return step


def main(max_steps=90_000):
    board = Board("/logs/signs")
    model = detector()
    step_fn = make_step(model, tf.keras.optimizers.Adam(1e-3))
    data = traffic_signs("/gtsdb/train-*.tfrecord", 16)
    for step, example in enumerate(itertools.islice(data, max_steps)):
        values = step_fn(*example)
        board.report(step, model, values)
    model.save("signs.keras")


if __name__ == "__main__":
    main()
