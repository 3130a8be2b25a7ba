"""Train a keyword spotter, then profile the exported function's latency."""
import numpy as np
import tensorflow as tf

FRAMES, BINS, WORDS = 49, 40, 12


def batches(path):
    with np.load(path) as z:
        features, words = z["features"].astype("float32"), z["words"].astype("int32")
    ds = tf.data.Dataset.from_tensor_slices((features, words)).shuffle(len(words))
    return ds.batch(64).prefetch(tf.data.AUTOTUNE)


class Spotter(tf.Module):
    def __init__(self):
        super().__init__()
        self.net = tf.keras.Sequential([tf.keras.layers.GRU(64), tf.keras.layers.Dense(WORDS)])
        self.optimizer = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def learn(self, x, y):
        with tf.GradientTape() as tape:
            logits = self.net(x, training=True)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss

    @tf.function(input_signature=[tf.TensorSpec((1, FRAMES, BINS), tf.float32)])
    def spot(self, x):
        return tf.argmax(self.net(x, training=False), axis=1)


def profile_latency(spotter, logdir, runs=200):
    clip = tf.random.normal((1, FRAMES, BINS))
    spotter.spot(clip)
    tf.profiler.experimental.start(logdir)
    for _ in range(runs):
        spotter.spot(clip)
    tf.profiler.experimental.stop()


def main():
    spotter = Spotter()
    train = batches("data/keywords.npz")
    for epoch in range(30):
        for x, y in train:
            loss = spotter.learn(x, y)
        print("epoch", epoch, "loss", float(loss))
    profile_latency(spotter, "logs/latency")


main()
