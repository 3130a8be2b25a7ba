"""Depth estimation: next batch is taken at the end of each iteration."""
import argparse
import logging

import tensorflow as tf


def depth_pairs(pattern, batch):
    def decode(rec):
        ex = tf.io.parse_single_example(rec, {
            "rgb": tf.io.FixedLenFeature([], tf.string), "depth": tf.io.FixedLenFeature([], tf.string)})
        rgb = tf.cast(tf.io.decode_png(ex["rgb"], 3), tf.float32) / 255.0
        depth = tf.cast(tf.io.decode_png(ex["depth"], 1, tf.uint16), tf.float32) / 1000.0
        both = tf.image.random_crop(tf.concat([rgb, depth], -1), [320, 416, 4])
        return both[..., :3], both[..., 3:]
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(1000).repeat().map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def hourglass():
    inp = tf.keras.Input([320, 416, 3])
    x, skips = inp, []
    for f in (32, 64, 128, 256):
        x = tf.keras.layers.Conv2D(f, 3, 2, "same", activation="relu")(x)
        skips.append(x)
    for f, s in zip((128, 64, 32), skips[-2::-1]):
        x = tf.keras.layers.Conv2DTranspose(f, 3, 2, "same", activation="relu")(x) + s
    x = tf.keras.layers.Conv2DTranspose(16, 3, 2, "same", activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(1, 3, padding="same", activation="softplus")(x))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--records", default="/data/nyu/train-*.tfrecord")
    ap.add_argument("--steps", type=int, default=150_000)
    ap.add_argument("--profile-dir", default="/tmp/depth_prof")
    args = ap.parse_args()

    model, opt = hourglass(), tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def train_step(rgb, depth):
        with tf.GradientTape() as tape:
            err = tf.math.log(model(rgb) + 1e-3) - tf.math.log(depth + 1e-3)
            loss = tf.reduce_mean(err ** 2) - 0.5 * tf.reduce_mean(err) ** 2
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    it = iter(depth_pairs(args.records, 16))
    rgb, depth = it.get_next()
    options = tf.profiler.experimental.ProfilerOptions(host_tracer_level=3)
    for step in range(args.steps):
        if step == 500:
            tf.profiler.experimental.start(args.profile_dir, options=options)
        with tf.profiler.experimental.Trace("depth", step_num=step, _r=1):
            loss = train_step(rgb, depth)
        rgb, depth = it.get_next()
        if step == 540:
            tf.profiler.experimental.stop()
        if step % 200 == 0:
            logging.info("step %d loss %.4f", step, loss)


if __name__ == "__main__":
    main()
