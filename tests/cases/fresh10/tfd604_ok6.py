"""Contrastive pretraining with pluggable objectives."""
import tensorflow as tf
import tensorflow_datasets as tfds

from backbones import build_encoder

STEPS = {}


def objective(name, **opts):
    """Registers a training step; the step is compiled on the way in."""
    def wrap(fn):
        STEPS[name] = tf.function(fn, reduce_retracing=True, **opts)
        return fn
    return wrap


def nt_xent(a, b, t):
    a, b = tf.math.l2_normalize(a, 1), tf.math.l2_normalize(b, 1)
    logits = tf.matmul(a, b, transpose_b=True) / t
    labels = tf.range(tf.shape(a)[0])
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))


@objective("simclr")
def simclr_step(net, opt, v1, v2):
    with tf.GradientTape() as tape:
        za, zb = net(v1, training=True), net(v2, training=True)
        loss = 0.5 * (nt_xent(za, zb, 0.1) + nt_xent(zb, za, 0.1))
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
    return loss


@objective("simsiam")
def simsiam_step(net, opt, v1, v2):
    with tf.GradientTape() as tape:
        za, zb = net(v1, training=True), net(v2, training=True)
        cos = tf.keras.losses.cosine_similarity
        loss = tf.reduce_mean(cos(za, tf.stop_gradient(zb)) + cos(zb, tf.stop_gradient(za))) / 2
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
    return loss


def view(img):
    img = tf.image.random_crop(img, (80, 80, 3))
    img = tf.image.resize(tf.image.random_flip_left_right(img), (96, 96))
    return tf.image.random_brightness(img / 255.0, 0.4)


def data(batch):
    ds = tfds.load("stl10", split="unlabelled", shuffle_files=True)
    ds = ds.shuffle(20_000)
    ds = ds.map(lambda e: (view(e["image"]), view(e["image"])),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def pretrain(name="simclr", epochs=100, batch=512):
    net = build_encoder((96, 96, 3), proj=128)
    opt = tf.keras.optimizers.Adam(1e-3)
    opt.build(net.trainable_variables)
    step = STEPS[name]
    train = data(batch)
    for epoch in range(epochs):
        for i, (v1, v2) in enumerate(train):
            loss = step(net, opt, v1, v2)
        print(epoch, float(loss))
    net.save("encoder.keras")


if __name__ == "__main__":
    pretrain()
