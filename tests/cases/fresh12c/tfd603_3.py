"""Monocular depth training with sparse logging."""
import tensorflow as tf

LOG_EVERY = 200


def frames(pattern):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {"rgb": tf.io.FixedLenFeature([], tf.string),
                                              "depth": tf.io.FixedLenFeature([], tf.string)})
        rgb = tf.ensure_shape(tf.io.decode_jpeg(ex["rgb"], channels=3), (240, 320, 3))
        depth = tf.io.decode_png(ex["depth"], channels=1, dtype=tf.uint16)
        return tf.cast(rgb, tf.float32) / 255.0, tf.cast(tf.ensure_shape(depth, (240, 320, 1)), tf.float32) / 1000.0

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(1000).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(32, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


inp = tf.keras.Input((240, 320, 3))
h = inp
for f in (32, 64, 128):
    h = tf.keras.layers.Conv2D(f, 3, strides=2, padding="same", activation="relu")(h)
for f in (64, 32, 16):
    h = tf.keras.layers.Conv2DTranspose(f, 4, strides=2, padding="same", activation="relu")(h)
net = tf.keras.Model(inp, tf.keras.layers.Conv2D(1, 3, padding="same", activation="softplus")(h))
opt = tf.keras.optimizers.Adam(1e-4)
running = tf.keras.metrics.Mean()


@tf.function
def step(rgb, depth):
    with tf.GradientTape() as tape:
        valid = tf.cast(depth > 0, tf.float32)
        err = tf.abs(net(rgb, training=True) - depth) * valid
        loss = tf.reduce_sum(err) / tf.maximum(tf.reduce_sum(valid), 1.0)
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    running.update_state(loss)


writer = tf.summary.create_file_writer("/logs/depth")
for i, (rgb, depth) in enumerate(frames("/data/nyu/train-*").take(150_000), start=1):
    step(rgb, depth)
    if i % LOG_EVERY:
        continue
    value = running.result().numpy()
    running.reset_state()
    print(f"{i:>7d} {value:.4f}", flush=True)
    with writer.as_default():
        tf.summary.scalar("loss", value, step=i)
    if i % (50 * LOG_EVERY) == 0:
        net.save_weights("/ckpt/depth.weights.h5")
