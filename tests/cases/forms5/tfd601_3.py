import tensorflow as tf

from data import cifar_batches

KERNELS = [(3, 64), (64, 128), (128, 256)]


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        init = tf.initializers.HeNormal()
        self.kernels = [tf.Variable(init((3, 3, i, o))) for i, o in KERNELS]
        self.w = tf.Variable(init((256, 100)))

    def __call__(self, x):
        for kernel in self.kernels:
            x = tf.nn.relu(
                tf.nn.conv2d(x, kernel, [1, 1, 2, 2], "SAME", data_format="NCHW"))
        return tf.reduce_mean(x, (2, 3)) @ self.w


net = Net()
optimizer = tf.keras.optimizers.SGD(0.05, momentum=0.9)


@tf.function(jit_compile=False)
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = net(x)
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    return loss


for epoch in range(200):
    for images, labels in cifar_batches(256):
        images = tf.transpose(images, perm=[0, 3, 1, 2])
        loss = train_step(images, labels)
    print(epoch, float(loss))
