import tensorflow as tf
import tensorflow_datasets as tfds


def preprocess(ex):
    image = tf.cast(ex["image"], tf.float32) / 255.0
    return tf.image.resize(image, (96, 96)), ex["label"]


train = (
    tfds.load("stl10", split="train", shuffle_files=True)
    .map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
    .shuffle(5000)
    .prefetch(tf.data.AUTOTUNE)
)

model = tf.keras.applications.MobileNetV2((96, 96, 3), weights=None, classes=10)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()
optimizer = tf.keras.optimizers.Adam(1e-4)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for epoch in range(100):
    mean = tf.keras.metrics.Mean()
    for image, label in train:
        loss = train_step(tf.expand_dims(image, 0), tf.expand_dims(label, 0))
        mean.update_state(loss)
    print(epoch, float(mean.result()))
