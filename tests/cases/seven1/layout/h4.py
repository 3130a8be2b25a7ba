import tensorflow as tf


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        init = tf.keras.initializers.HeNormal()
        self.k1 = tf.Variable(init((3, 3, 1, 32)))
        self.k2 = tf.Variable(init((3, 3, 32, 64)))
        self.w = tf.Variable(init((64, 30)))

    def __call__(self, x):
        x = tf.nn.relu(tf.nn.conv2d(x, self.k1, 2, "SAME", data_format="NHWC"))
        x = tf.nn.relu(tf.nn.conv2d(x, self.k2, 2, "SAME", data_format="NHWC"))
        return tf.reduce_mean(x, axis=[1, 2]) @ self.w


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    image = tf.image.resize(image, (128, 256)) / 255.0
    image = tf.transpose(image, [1, 0, 2])
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return image, label


net = Net()
optimizer = tf.keras.optimizers.Adam()


@tf.function
def step(images, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, net(images)))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))


train = tf.data.Dataset.list_files("/data/spectrograms/*/*.png").map(load, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
for _ in range(10):
    for images, labels in train:
        step(images, labels)
