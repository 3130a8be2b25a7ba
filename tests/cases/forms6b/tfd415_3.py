import functools

import tensorflow as tf
import tensorflow_datasets as tfds

BATCH = 128
batched = functools.partial(tf.data.Dataset.batch, batch_size=BATCH, drop_remainder=True)


def to_float(image, label):
    return tf.image.convert_image_dtype(image, tf.float32), label


def load_split(split, *, training):
    ds = tfds.load("svhn_cropped", split=split, as_supervised=True, shuffle_files=training)
    ds = ds.map(to_float, num_parallel_calls=tf.data.AUTOTUNE).cache()
    if training:
        ds = ds.shuffle(20_000)
    return ds.apply(batched).prefetch(tf.data.AUTOTUNE)


def build_model():
    return tf.keras.Sequential([
        tf.keras.Input((32, 32, 3)),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(128, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(10),
    ])


def main(epochs=12):
    model = build_model()
    optimizer = tf.keras.optimizers.Adam()
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

    @tf.function(jit_compile=True)
    def train_step(images, labels):
        with tf.GradientTape() as tape:
            loss = loss_fn(labels, model(images, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    @tf.function
    def test_step(images, labels):
        accuracy.update_state(labels, model(images, training=False))

    train_ds = load_split("train", training=True)
    test_ds = load_split("test", training=False)
    for epoch in range(epochs):
        for images, labels in train_ds:
            train_step(images, labels)
        accuracy.reset_state()
        for images, labels in test_ds:
            test_step(images, labels)
        print(epoch, float(accuracy.result()))


if __name__ == "__main__":
    main()
