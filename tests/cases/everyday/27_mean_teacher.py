import glob

import tensorflow as tf

SIZE = 64
CLASSES = 20
DECAY = 0.999


def make_model():
    return tf.keras.Sequential(
        [
            tf.keras.layers.Conv2D(64, 3, activation="relu", input_shape=(SIZE, SIZE, 3)),
            tf.keras.layers.MaxPooling2D(),
            tf.keras.layers.Conv2D(128, 3, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(CLASSES),
        ]
    )


student, teacher = make_model(), make_model()
teacher.set_weights(student.get_weights())
optimizer = tf.keras.optimizers.Adam(1e-3)


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [SIZE, SIZE]) / 255.0


def pseudo_label(images):
    probabilities = tf.nn.softmax(teacher(images, training=False))
    return images, tf.argmax(probabilities, -1), tf.reduce_max(probabilities, -1)


def confident(image, label, confidence):
    return confidence > 0.9


unlabeled = tf.data.Dataset.from_tensor_slices(glob.glob("data/unlabeled/*.jpg"))
unlabeled = unlabeled.shuffle(10_000).map(load, num_parallel_calls=tf.data.AUTOTUNE)
unlabeled = unlabeled.batch(256).map(pseudo_label)
unlabeled = unlabeled.unbatch().filter(confident)
unlabeled = unlabeled.batch(64)


@tf.function
def train_step(images, labels):
    noisy = images + tf.random.normal(tf.shape(images), stddev=0.05)
    with tf.GradientTape() as tape:
        logits = student(noisy, training=True)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
    gradients = tape.gradient(loss, student.trainable_variables)
    optimizer.apply_gradients(zip(gradients, student.trainable_variables))
    for slow, fast in zip(teacher.variables, student.variables):
        slow.assign(DECAY * slow + (1.0 - DECAY) * fast)
    return loss


for epoch in range(10):
    mean = tf.keras.metrics.Mean()
    for images, labels, confidence in unlabeled:
        mean.update_state(train_step(images, labels))
    print(epoch, float(mean.result()))
teacher.save("teacher")
