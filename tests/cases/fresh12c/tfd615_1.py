"""Hand-made data parallelism for a text classifier."""
import tensorflow as tf

GPUS = [d.name for d in tf.config.list_logical_devices("GPU")]


def news(pattern, per_gpu):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(100_000).repeat().batch(per_gpu * len(GPUS), drop_remainder=True)

    def parse(rows):
        ex = tf.io.parse_example(rows, {"ids": tf.io.FixedLenFeature([512], tf.int64),
                                        "topic": tf.io.FixedLenFeature([], tf.int64)})
        return ex["ids"], ex["topic"]

    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


class Tower(tf.Module):
    def __init__(self, device):
        super().__init__()
        self.device = device
        with tf.device(device):
            self.net = tf.keras.Sequential([
                tf.keras.Input((512,), dtype="int64"),
                tf.keras.layers.Embedding(50_000, 256),
                tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(256)),
                tf.keras.layers.Dense(90),
            ])

    @tf.function
    def gradients(self, ids, topic):
        with tf.GradientTape() as tape:
            logits = self.net(ids, training=True)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(topic, logits))
        return loss, tape.gradient(loss, self.net.trainable_variables)


def global_step(towers, opt, ids, topic):
    collected = []
    shards = zip(tf.split(ids, len(towers)), tf.split(topic, len(towers)))
    for tower, (x, y) in zip(towers, shards):
        with tf.device(tower.device):
            loss, grads = tower.gradients(x, y)
        collected.append([tf.convert_to_tensor(g) for g in grads])
    mean = [tf.add_n(list(gs)) / len(towers) for gs in zip(*collected)]
    opt.apply_gradients(zip(mean, towers[0].net.trainable_variables))
    for other in towers[1:]:
        for src, dst in zip(towers[0].net.trainable_variables, other.net.trainable_variables):
            dst.assign(src)
    return loss


towers = [Tower(name) for name in GPUS]
optimizer = tf.keras.optimizers.Adam(5e-4)
for n, (ids, topic) in enumerate(news("/data/reuters/train-*", 64).take(80_000)):
    loss = global_step(towers, optimizer, ids, topic)
    if n % 500 == 0:
        tf.print(n, loss)
