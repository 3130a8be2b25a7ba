"""FixMatch on CIFAR-10: 4000 labelled images, the rest without labels."""
import numpy as np
import tensorflow as tf


def weak(x):
    x = tf.image.random_flip_left_right(x)
    x = tf.pad(x, [[4, 4], [4, 4], [0, 0]], mode="REFLECT")
    return tf.image.random_crop(x, (32, 32, 3))


def strong(x):
    x = weak(x)
    x = tf.image.random_brightness(x, 0.4)
    x = tf.image.random_contrast(x, 0.4, 1.6)
    return tf.clip_by_value(x, 0.0, 1.0)


def make_data(batch=64, mu=7):
    (x, y), test = tf.keras.datasets.cifar10.load_data()
    x, y = x.astype("float32") / 255.0, y[:, 0].astype("int64")
    pick = np.random.default_rng(0).permutation(len(x))
    lab, unl = pick[:4000], pick[4000:]

    labelled = tf.data.Dataset.from_tensor_slices((x[lab], y[lab]))
    labelled = labelled.shuffle(4000).repeat()
    labelled = labelled.map(lambda a, b: (weak(a), b), num_parallel_calls=tf.data.AUTOTUNE)
    labelled = labelled.batch(batch, drop_remainder=True)

    unlabelled = tf.data.Dataset.from_tensor_slices(x[unl]).shuffle(46_000)
    unlabelled = unlabelled.map(lambda a: (weak(a), strong(a)),
                                num_parallel_calls=tf.data.AUTOTUNE)
    unlabelled = unlabelled.batch(batch * mu, drop_remainder=True)

    # one epoch = one walk over the unlabelled images
    both = tf.data.Dataset.zip((labelled, unlabelled)).prefetch(tf.data.AUTOTUNE)
    val = tf.data.Dataset.from_tensor_slices(
        (test[0].astype("float32") / 255.0, test[1][:, 0].astype("int64"))).batch(500)
    return both, val


class FixMatch(tf.keras.Model):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.ce = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def call(self, x, training=False):
        return self.net(x, training=training)

    def train_step(self, data):
        (xl, yl), (uw, us) = data
        probs = tf.nn.softmax(self.net(uw, training=False))
        mask = tf.cast(tf.reduce_max(probs, -1) > 0.95, tf.float32)
        with tf.GradientTape() as tape:
            loss_u = tf.nn.sparse_softmax_cross_entropy_with_logits(
                tf.argmax(probs, -1), self.net(us, training=True))
            loss = self.ce(yl, self.net(xl, training=True)) + tf.reduce_mean(mask * loss_u)
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.net.trainable_variables))
        return {"loss": loss, "mask": tf.reduce_mean(mask)}


if __name__ == "__main__":
    train, val = make_data()
    net = tf.keras.applications.MobileNetV2((32, 32, 3), weights=None, classes=10,
                                            classifier_activation=None)
    m = FixMatch(net)
    m.compile(optimizer="adam", metrics=["accuracy"],
              loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    m.fit(train, validation_data=val, epochs=200)
