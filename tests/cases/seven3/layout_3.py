import tensorflow as tf


class ConvLayer(tf.Module):
    def __init__(self, c_in, c_out, stride, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.random.normal((3, 3, c_in, c_out), stddev=(2.0 / (9 * c_in)) ** 0.5))
        self.b = tf.Variable(tf.zeros((c_out,)))
        self.stride = stride

    def __call__(self, x):
        x = tf.nn.conv2d(x, self.w, strides=self.stride, padding="SAME", data_format="NCHW")
        return tf.nn.relu(tf.nn.bias_add(x, self.b, data_format="NCHW"))


class Critic(tf.Module):
    def __init__(self):
        super().__init__()
        self.convs = [ConvLayer(i, o, 2) for i, o in ((4, 32), (32, 64), (64, 64))]
        self.head = tf.Variable(tf.zeros((64, 18)))

    def __call__(self, frames):
        x = tf.cast(frames, tf.float32) / 255.0
        for conv in self.convs:
            x = conv(x)
        return tf.reduce_mean(x, axis=(2, 3)) @ self.head


def replay(pattern, batch_size):
    spec = {"frames": tf.io.FixedLenFeature([], tf.string), "action": tf.io.FixedLenFeature([], tf.int64)}
    ds = tf.data.Dataset.list_files(pattern).repeat()
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000).batch(batch_size, drop_remainder=True)

    def unpack(records):
        ex = tf.io.parse_example(records, spec)
        frames = tf.reshape(tf.io.decode_raw(ex["frames"], tf.uint8), (batch_size, 4, 84, 84))
        return frames, ex["action"]

    return ds.map(unpack, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


critic = Critic()
optimizer = tf.keras.optimizers.Adam(1e-4)


@tf.function
def clone_step(frames, action):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(action, critic(frames)))
    optimizer.apply_gradients(zip(tape.gradient(loss, critic.trainable_variables), critic.trainable_variables))
    return loss


for i, (frames, action) in enumerate(replay("/data/atari/shard-*", 256).take(1_000_000)):
    loss = clone_step(frames, action)
    if i % 5000 == 0:
        tf.print(i, loss)
