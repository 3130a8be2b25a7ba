import glob

import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def decode(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (286, 286))
    image = tf.image.random_crop(image, (256, 256, 3))
    return tf.image.random_flip_left_right(image) / 127.5 - 1.0


def domain(pattern):
    files = glob.glob(pattern)
    ds = tf.data.Dataset.from_tensor_slices(files)
    ds = ds.shuffle(len(files)).repeat()
    return ds.map(decode, num_parallel_calls=AUTO)


def unpaired(batch_size=4):
    photos = domain("/data/monet2photo/trainB/*.jpg")
    paintings = domain("/data/monet2photo/trainA/*.jpg")
    ds = tf.data.Dataset.zip((photos, paintings))
    return ds.batch(batch_size, drop_remainder=True).prefetch(AUTO)


def generator():
    layers = tf.keras.layers
    inp = tf.keras.Input((256, 256, 3))
    x = layers.Conv2D(64, 7, padding="same", activation="relu")(inp)
    x = layers.Conv2D(128, 3, strides=2, padding="same", activation="relu")(x)
    x = layers.Conv2DTranspose(64, 3, strides=2, padding="same", activation="relu")(x)
    return tf.keras.Model(inp, layers.Conv2D(3, 7, padding="same", activation="tanh")(x))


def critic():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Conv2D(64, 4, strides=2, activation="leaky_relu"),
            layers.Conv2D(128, 4, strides=2, activation="leaky_relu"),
            layers.Conv2D(1, 4),
        ]
    )


def main():
    g, f, d = generator(), generator(), critic()
    gen_opt, dis_opt = tf.keras.optimizers.Adam(2e-4, 0.5), tf.keras.optimizers.Adam(2e-4, 0.5)

    @tf.function
    def step(photo, painting):
        with tf.GradientTape() as gt, tf.GradientTape() as dt:
            fake = g(photo, training=True)
            cycle = tf.reduce_mean(tf.abs(f(fake, training=True) - photo))
            real_score, fake_score = d(painting), d(fake)
            g_loss = tf.reduce_mean(tf.square(fake_score - 1.0)) + 10.0 * cycle
            d_loss = tf.reduce_mean(tf.square(real_score - 1.0)) + tf.reduce_mean(tf.square(fake_score))
        weights = g.trainable_variables + f.trainable_variables
        gen_opt.apply_gradients(zip(gt.gradient(g_loss, weights), weights))
        dis_opt.apply_gradients(zip(dt.gradient(d_loss, d.trainable_variables), d.trainable_variables))
        return g_loss, d_loss

    for i, (photo, painting) in enumerate(unpaired().take(100_000)):
        losses = step(photo, painting)
        if i % 500 == 0:
            print(i, [float(v) for v in losses])


if __name__ == "__main__":
    main()
