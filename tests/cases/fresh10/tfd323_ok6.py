"""Evaluate a super-resolution net on Urban100 / BSD100 at native resolution."""
import argparse
import os

import tensorflow as tf


def pairs(folder, scale):
    """Yields full images; each file has its own height and width."""
    names = sorted(tf.io.gfile.listdir(os.path.join(folder, "HR")))
    ds = tf.data.Dataset.from_tensor_slices(names)

    def load(name):
        hr = tf.io.decode_png(tf.io.read_file(folder + "/HR/" + name), channels=3)
        lr = tf.io.decode_png(
            tf.io.read_file(folder + f"/LRx{scale}/" + name), channels=3)
        return (tf.image.convert_image_dtype(lr, tf.float32),
                tf.image.convert_image_dtype(hr, tf.float32))

    return ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).prefetch(2)


def build_edsr(scale, filters=64, blocks=16):
    inp = tf.keras.Input((None, None, 3))
    x = head = tf.keras.layers.Conv2D(filters, 3, padding="same")(inp)
    for _ in range(blocks):
        y = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        y = tf.keras.layers.Conv2D(filters, 3, padding="same")(y)
        x = tf.keras.layers.Add()([x, y])
    x = tf.keras.layers.Add()([x, head])
    x = tf.keras.layers.Conv2D(3 * scale ** 2, 3, padding="same")(x)
    out = tf.keras.layers.Lambda(lambda t: tf.nn.depth_to_space(t, scale))(x)
    return tf.keras.Model(inp, out)


def evaluate(model, ds, scale):
    @tf.function(input_signature=[tf.TensorSpec([1, None, None, 3], tf.float32)])
    def upscale(lr):
        return model(lr, training=False)

    psnr, ssim = [], []
    for lr, hr in ds:
        sr = tf.clip_by_value(upscale(tf.expand_dims(lr, 0))[0], 0.0, 1.0)
        sr, hr = sr[scale:-scale, scale:-scale], hr[scale:-scale, scale:-scale]
        psnr.append(float(tf.image.psnr(sr, hr, 1.0)))
        ssim.append(float(tf.image.ssim(sr, hr, 1.0)))
    return sum(psnr) / len(psnr), sum(ssim) / len(ssim)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("weights")
    p.add_argument("--scale", type=int, default=4)
    p.add_argument("--sets", nargs="+", default=["Urban100", "BSD100"])
    a = p.parse_args()
    net = build_edsr(a.scale)
    net.load_weights(a.weights)
    for s in a.sets:
        print(s, "PSNR %.2f SSIM %.4f" % evaluate(net, pairs(f"/data/sr/{s}", a.scale), a.scale))
