"""Super-resolution training script for a two-GPU workstation."""
from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("images", "/data/div2k/train/*.png", "HR images")
flags.DEFINE_integer("num_gpus", 2, "GPUs to use")
flags.DEFINE_integer("batch", 32, "global batch")


def pairs():
    def decode(path):
        hr = tf.io.decode_png(tf.io.read_file(path), channels=3)
        hr = tf.image.random_crop(hr, (192, 192, 3))
        hr = tf.cast(hr, tf.float32) / 255.0
        return tf.image.resize(hr, (48, 48), "bicubic"), hr

    ds = tf.data.Dataset.list_files(FLAGS.images).repeat()
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(FLAGS.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def edsr(width=64, blocks=16):
    inp = tf.keras.Input((48, 48, 3))
    h = s = tf.keras.layers.Conv2D(width, 3, padding="same")(inp)
    for _ in range(blocks):
        r = tf.keras.layers.Conv2D(width, 3, padding="same", activation="relu")(h)
        h = h + tf.keras.layers.Conv2D(width, 3, padding="same")(r)
    h = tf.keras.layers.Conv2D(48, 3, padding="same")(h + s)
    h = tf.keras.layers.UpSampling2D(4)(tf.keras.layers.Conv2D(width, 1)(h))
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(3, 3, padding="same")(h))


def make_step(model, opt):
    @tf.function
    def train_step(lr, hr):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(model(lr, training=True) - hr))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    return train_step


def main(_):
    model = edsr()
    train_step = make_step(model, tf.keras.optimizers.Adam(1e-4))
    share = FLAGS.batch // FLAGS.num_gpus
    for step, (lr, hr) in enumerate(pairs().take(300_000)):
        for i in range(FLAGS.num_gpus):
            part = slice(i * share, (i + 1) * share)
            with tf.device(f"/GPU:{i}"):
                loss = train_step(lr[part], hr[part])
        if step % 1000 == 0:
            tf.print(step, loss)
            model.save_weights("/ckpt/edsr.weights.h5")


if __name__ == "__main__":
    app.run(main)
