import tensorflow as tf


class ConvNet(tf.Module):
    def __init__(self, classes):
        super().__init__()
        init = tf.keras.initializers.HeNormal()
        self.k1 = tf.Variable(init((3, 3, 3, 32)))
        self.k2 = tf.Variable(init((3, 3, 32, 64)))
        self.out = tf.Variable(init((64, classes)))

    def __call__(self, images):
        x = tf.transpose(images, [0, 3, 1, 2])
        x = tf.nn.relu(tf.nn.conv2d(x, self.k1, strides=1, padding="SAME", data_format="NCHW"))
        x = tf.nn.max_pool2d(x, 2, 2, "VALID", data_format="NCHW")
        x = tf.nn.relu(tf.nn.conv2d(x, self.k2, strides=1, padding="SAME", data_format="NCHW"))
        return tf.reduce_mean(x, axis=[2, 3]) @ self.out


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (96, 96)) / 255.0
    return image, tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)


net = ConvNet(200)
optimizer = tf.keras.optimizers.Adam()


@tf.function
def step(images, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, net(images)))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    return loss


train = tf.data.Dataset.list_files("/data/birds/*/*.jpg")
train = train.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(128, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
for epoch in range(30):
    for images, labels in train:
        loss = step(images, labels)
    print(epoch, float(loss))
