import tensorflow as tf
import tensorflow_datasets as tfds

AUTOTUNE = tf.data.AUTOTUNE
GPUS = [device.name for device in tf.config.list_logical_devices("GPU")]
PER_GPU = 64


def scale(images, labels):
    return tf.cast(images, tf.float32) / 255.0, labels


def dataset():
    ds = tfds.load("cifar10", split="train", as_supervised=True, shuffle_files=True)
    ds = ds.shuffle(50_000).batch(PER_GPU * len(GPUS), drop_remainder=True)
    return ds.map(scale, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)


def build():
    return tf.keras.Sequential(
        [
            tf.keras.Input([32, 32, 3]),
            tf.keras.layers.Conv2D(64, 3, activation="relu"),
            tf.keras.layers.MaxPool2D(),
            tf.keras.layers.Conv2D(128, 3, activation="relu"),
            tf.keras.layers.MaxPool2D(),
            tf.keras.layers.Conv2D(256, 3, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(10),
        ]
    )


model = build()
optimizer = tf.keras.optimizers.Adam(1e-3)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def tower_grads(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    return loss, tape.gradient(loss, model.trainable_variables)


def train_step(images, labels):
    image_parts = tf.split(images, len(GPUS))
    label_parts = tf.split(labels, len(GPUS))
    losses, towers = [], []
    for gpu, x, y in zip(GPUS, image_parts, label_parts):
        with tf.device(gpu):
            loss, grads = tower_grads(x, y)
        losses.append(loss)
        towers.append(grads)
    mean = [tf.add_n(parts) / len(GPUS) for parts in zip(*towers)]
    optimizer.apply_gradients(zip(mean, model.trainable_variables))
    return tf.add_n(losses) / len(GPUS)


def main(epochs=30):
    train = dataset()
    for epoch in range(epochs):
        loss = tf.constant(0.0)
        for images, labels in train:
            loss = train_step(images, labels)
        print("epoch", epoch, "last loss", float(loss))
    model.save("cifar10.keras")


if __name__ == "__main__":
    main()
