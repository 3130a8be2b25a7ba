"""DCGAN discriminator pretraining with raw ops."""
import tensorflow as tf
import tensorflow_datasets as tfds

LAYOUT = "NCHW"


class Conv(tf.Module):
    def __init__(self, cin, cout, stride=2, name=None):
        super().__init__(name)
        self.w = tf.Variable(tf.random.normal([4, 4, cin, cout], stddev=0.02))
        self.b = tf.Variable(tf.zeros([cout]))
        self.strides = [1, 1, stride, stride]

    def __call__(self, x):
        w = tf.cast(self.w, tf.float16)
        y = tf.nn.conv2d(x, w, self.strides, "SAME", data_format=LAYOUT)
        return tf.nn.leaky_relu(tf.nn.bias_add(y, tf.cast(self.b, tf.float16), LAYOUT))


class Discriminator(tf.Module):
    def __init__(self):
        super().__init__()
        self.convs = [Conv(a, b) for a, b in ((3, 64), (64, 128), (128, 256), (256, 512))]
        self.head = tf.Variable(tf.random.normal([512, 40], stddev=0.02))

    def __call__(self, x):
        for conv in self.convs:
            x = conv(x)
        return tf.cast(tf.reduce_mean(x, [2, 3]), tf.float32) @ self.head


def prepare(ex):
    image = tf.image.resize(ex["image"], [128, 128]) / 127.5 - 1
    image = tf.transpose(image, perm=(2, 0, 1))
    attributes = tf.stack([tf.cast(v, tf.float32) for v in ex["attributes"].values()])
    return tf.cast(image, tf.float16), attributes


def main():
    ds = tfds.load("celeb_a", split="train", shuffle_files=True).shuffle(5000)
    ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(128, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    net, opt = Discriminator(), tf.keras.optimizers.Adam(2e-4)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, net(x)))
        grads = tape.gradient(loss, net.trainable_variables)
        opt.apply_gradients(zip(grads, net.trainable_variables))
        return loss

    for epoch in range(10):
        for x, y in ds:
            loss = step(x, y)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
