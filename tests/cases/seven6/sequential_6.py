"""SimCLR pretraining on unlabeled satellite tiles."""
import sys

import tensorflow as tf

TILE = 128


def read_tile(path):
    return tf.io.decode_jpeg(tf.io.read_file(path), channels=3)


def to_float(tile):
    return tf.image.convert_image_dtype(tile, tf.float32)


def two_views(tile):
    def view():
        v = tf.image.random_crop(tile, (96, 96, 3))
        v = tf.image.resize(v, (TILE, TILE))
        v = tf.image.random_flip_left_right(v)
        v = tf.image.random_hue(tf.image.random_brightness(v, 0.4), 0.1)
        return tf.clip_by_value(v, 0.0, 1.0)

    return view(), view()


def tiles(pattern, batch_size=512):
    ds = tf.data.Dataset.list_files(pattern).shuffle(100_000)
    for transform in (read_tile, to_float, two_views):
        ds = ds.map(transform)
    return ds.batch(batch_size, drop_remainder=True).prefetch(4)


def nt_xent(a, b, temperature=0.1):
    z = tf.math.l2_normalize(tf.concat([a, b], 0), axis=1)
    sim = tf.matmul(z, z, transpose_b=True) / temperature
    n = tf.shape(a)[0]
    sim -= 1e9 * tf.eye(2 * n)
    labels = tf.concat([tf.range(n) + n, tf.range(n)], 0)
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, sim))


def main(pattern, out):
    encoder = tf.keras.applications.ResNet50(
        include_top=False, weights=None, pooling="avg", input_shape=(TILE, TILE, 3))
    head = tf.keras.Sequential([tf.keras.layers.Dense(512, "relu"), tf.keras.layers.Dense(128)])
    opt = tf.keras.optimizers.SGD(0.3, momentum=0.9)

    @tf.function
    def step(x1, x2):
        with tf.GradientTape() as tape:
            loss = nt_xent(head(encoder(x1, training=True)), head(encoder(x2, training=True)))
        weights = encoder.trainable_variables + head.trainable_variables
        opt.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    for epoch in range(200):
        for x1, x2 in tiles(pattern):
            loss = step(x1, x2)
        print(epoch, loss.numpy())
        encoder.save_weights(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
