"""DQN on stored Atari frames. Low-level tf.nn network."""
import numpy as np
import tensorflow as tf


class Conv(tf.Module):
    def __init__(self, cin, cout, k, s):
        super().__init__()
        self.w = tf.Variable(tf.initializers.HeNormal()((k, k, cin, cout)))
        self.b = tf.Variable(tf.zeros(cout))
        self.s = s

    def __call__(self, x):
        y = tf.nn.conv2d(x, self.w, [1, 1, self.s, self.s], "VALID", data_format="NCHW")
        return tf.nn.relu(tf.nn.bias_add(y, self.b, data_format="NCHW"))


class QNet(tf.Module):
    def __init__(self, n_actions):
        super().__init__()
        self.convs = [Conv(4, 32, 8, 4), Conv(32, 64, 4, 2), Conv(64, 64, 3, 1)]
        self.w1 = tf.Variable(tf.random.normal((3136, 512), stddev=0.02))
        self.w2 = tf.Variable(tf.random.normal((512, n_actions), stddev=0.04))

    def __call__(self, frames):
        x = tf.cast(frames, tf.float32) / 255.0
        for conv in self.convs:
            x = conv(x)
        x = tf.reshape(x, (-1, 3136))
        return tf.nn.relu(x @ self.w1) @ self.w2


def replay(pattern, batch):
    """Records hold stacks of four uint8 frames of 84 x 84."""
    spec = {k: tf.io.FixedLenFeature([], tf.string) for k in ("s", "s2")}
    spec |= {"a": tf.io.FixedLenFeature([], tf.int64), "r": tf.io.FixedLenFeature([], tf.float32)}

    def parse(recs):
        ex = tf.io.parse_example(recs, spec)
        for k in ("s", "s2"):
            ex[k] = tf.reshape(tf.io.decode_raw(ex[k], tf.uint8), (-1, 4, 84, 84))
        return ex

    files = tf.data.Dataset.list_files(pattern, shuffle=True).repeat()
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000).batch(batch, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main(n_actions=18):
    q, target = QNet(n_actions), QNet(n_actions)
    opt = tf.keras.optimizers.Adam(6.25e-5)

    @tf.function(jit_compile=True)
    def update(b):
        best = tf.reduce_max(target(b["s2"]), -1)
        with tf.GradientTape() as tape:
            qa = tf.gather(q(b["s"]), b["a"], batch_dims=1)
            loss = tf.reduce_mean(tf.square(b["r"] + 0.99 * tf.stop_gradient(best) - qa))
        opt.apply_gradients(zip(tape.gradient(loss, q.trainable_variables), q.trainable_variables))
        return loss

    losses = []
    for step, b in enumerate(replay("/data/dqn/Pong/*.tfrecord", 256).take(200_000)):
        losses.append(update(b))
        if step % 2000 == 0:
            for t, s in zip(target.variables, q.variables):
                t.assign(s)
            print(step, np.mean([float(x) for x in losses]))
            losses.clear()


if __name__ == "__main__":
    main()
