"""Distils an ensemble, whose logits were computed beforehand, into a small network for phones."""
import numpy as np
import tensorflow as tf

TEMPERATURE = 4.0
ALPHA = 0.9
IMAGE_DIR = "data/plants/"

names = np.loadtxt("data/plants/order.txt", dtype=str)
labels = np.load("data/plants/labels.npy").astype("int32")
teacher_logits = np.load("data/plants/ensemble_logits.npy").astype("float32")


def load(name, label, logits):
    image = tf.io.read_file(tf.strings.join([IMAGE_DIR, name, ".jpg"]))
    image = tf.io.decode_jpeg(image, channels=3, ratio=2)
    image = tf.image.resize(image, [192, 192])
    image = tf.keras.applications.mobilenet.preprocess_input(image)
    return image, label, tf.nn.softmax(logits / TEMPERATURE)


def make_dataset(indices, batch_size=64):
    data = (names[indices], labels[indices], teacher_logits[indices])
    return (tf.data.Dataset.from_tensor_slices(data)
            .shuffle(len(indices))
            .map(load)
            .batch(batch_size))


student = tf.keras.applications.MobileNet(
    input_shape=(192, 192, 3), alpha=0.25, weights=None, classes=teacher_logits.shape[1], classifier_activation=None)
optimizer = tf.keras.optimizers.Adam(1e-3)
hard_loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
soft_loss = tf.keras.losses.CategoricalCrossentropy()


@tf.function
def distil(images, labels, soft_targets):
    with tf.GradientTape() as tape:
        logits = student(images, training=True)
        soft = soft_loss(soft_targets, tf.nn.softmax(logits / TEMPERATURE)) * TEMPERATURE ** 2
        loss = ALPHA * soft + (1 - ALPHA) * hard_loss(labels, logits)
    gradients = tape.gradient(loss, student.trainable_variables)
    optimizer.apply_gradients(zip(gradients, student.trainable_variables))
    return loss


order = np.random.permutation(len(names))
train_ds = make_dataset(order[: int(0.95 * len(order))])
for epoch in range(60):
    mean_loss = tf.keras.metrics.Mean()
    for images, targets, soft_targets in train_ds:
        mean_loss.update_state(distil(images, targets, soft_targets))
    print("epoch {:2d}  loss {:.4f}".format(epoch, float(mean_loss.result())))
    if epoch % 10 == 9:
        student.save("student_%02d.h5" % epoch)
