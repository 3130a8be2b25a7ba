from functools import partial

import tensorflow as tf
from tensorflow.keras import layers

COMMON = {"padding": "same", "use_bias": False, "data_format": "channels_last"}


def parse(records, shape=(3, 96, 96)):
    raw = tf.reshape(tf.io.decode_raw(records, tf.uint8), (-1, *shape))
    images = tf.transpose(raw, [0, 2, 3, 1])
    return tf.cast(images, tf.float32) / 255.0


def two_views(images):
    def view():
        x = tf.image.random_flip_left_right(images)
        return tf.image.random_brightness(x, 0.4)

    return view(), view()


def unlabeled(path, batch):
    ds = tf.data.FixedLengthRecordDataset(path, record_bytes=3 * 96 * 96, buffer_size=16 << 20)
    ds = ds.shuffle(20_000).batch(batch, drop_remainder=True)
    par = partial(tf.data.Dataset.map, num_parallel_calls=tf.data.AUTOTUNE)
    return par(par(ds, parse), two_views).prefetch(tf.data.AUTOTUNE)


def encoder():
    model = tf.keras.Sequential([tf.keras.Input((96, 96, 3))])
    for f in (64, 128, 256):
        model.add(layers.Conv2D(f, 3, 2, **COMMON))
        model.add(layers.BatchNormalization(axis=-1))
        model.add(layers.ReLU())
    model.add(layers.GlobalAveragePooling2D())
    model.add(layers.Dense(128, dtype="float32"))
    return model


def main():
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    net, opt = encoder(), tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def step(a, b):
        with tf.GradientTape() as tape:
            za = tf.math.l2_normalize(net(a, training=True), -1)
            zb = tf.math.l2_normalize(net(b, training=True), -1)
            sim = tf.matmul(za, zb, transpose_b=True) / 0.1
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(tf.range(tf.shape(sim)[0]), sim)
            )
        opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss

    data = unlabeled("/data/stl10_binary/unlabeled_X.bin", 512)
    for epoch in range(100):
        for a, b in data:
            loss = step(a, b)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
