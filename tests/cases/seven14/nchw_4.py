"""Low-level TF modules on TPU: a small DnCNN denoiser."""
import tensorflow as tf


class Conv(tf.Module):
    def __init__(self, cin, cout, name=None):
        super().__init__(name)
        self.w = tf.Variable(tf.random.truncated_normal([3, 3, cin, cout], stddev=0.05))
        self.b = tf.Variable(tf.zeros([cout]))

    def __call__(self, x):
        y = tf.nn.conv2d(x, self.w, strides=1, padding="SAME", data_format="NCHW")
        return tf.nn.bias_add(y, self.b, data_format="NCHW")


class DnCNN(tf.Module):
    def __init__(self, depth=17, width=64):
        super().__init__()
        self.layers = [Conv(1, width)] + [Conv(width, width) for _ in range(depth - 2)] + [Conv(width, 1)]

    def __call__(self, x):
        y = x
        for layer in self.layers[:-1]:
            y = tf.nn.relu(layer(y))
        return x - self.layers[-1](y)


def patches(pattern, batch):
    def load(raw):
        img = tf.io.decode_png(raw, channels=1)
        img = tf.image.random_crop(img, [64, 64, 1])
        return tf.image.convert_image_dtype(tf.reshape(img, [1, 64, 64]), tf.float32)

    files = tf.data.Dataset.list_files(pattern).repeat()
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(20_000).map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(steps=200_000, host_loop=100):
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver("")
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)
    with strategy.scope():
        model = DnCNN()
        opt = tf.keras.optimizers.Adam(1e-4)
        opt.build(model.trainable_variables)

    def replica(clean):
        noisy = clean + tf.random.normal(tf.shape(clean), stddev=25 / 255)
        with tf.GradientTape() as t:
            loss = tf.reduce_mean((model(noisy) - clean) ** 2)
        g = t.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))

    @tf.function
    def run(it):
        for _ in tf.range(host_loop):
            strategy.run(replica, args=(next(it),))

    it = iter(strategy.experimental_distribute_dataset(patches("gs://denoise/train-*", 1024)))
    for _ in range(steps // host_loop):
        run(it)


main()
