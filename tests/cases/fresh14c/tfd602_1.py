import tensorflow as tf
from tensorflow.keras import layers
import tensorflow_datasets as tfds

AUTOTUNE = tf.data.AUTOTUNE


def scale(images, labels):
    return tf.cast(images, tf.float32) / 255.0, labels


def load(split, training):
    ds = tfds.load("cifar100", split=split, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.cache().shuffle(50_000)
    ds = ds.batch(128, drop_remainder=training)
    return ds.map(scale, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)


def vgg():
    return tf.keras.Sequential(
        [
            tf.keras.Input([32, 32, 3]),
            layers.Conv2D(64, 3, padding="same"),
            layers.BatchNormalization(),
            layers.ReLU(),
            layers.MaxPooling2D(),
            layers.Conv2D(128, 3, padding="same"),
            layers.BatchNormalization(),
            layers.ReLU(),
            layers.MaxPooling2D(),
            layers.Conv2D(256, 3, padding="same"),
            layers.BatchNormalization(),
            layers.ReLU(),
            layers.GlobalAveragePooling2D(),
            layers.Dense(256, activation="relu"),
            layers.Dropout(0.4),
            layers.Dense(100),
        ]
    )


def schedule(epoch, rate):
    return rate if epoch < 20 else rate * 0.95


def main():
    model = vgg()
    model.compile(
        optimizer=tf.keras.optimizers.SGD(0.05, momentum=0.9, nesterov=True),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(
        load("train", True),
        validation_data=load("test", False),
        epochs=80,
        callbacks=[tf.keras.callbacks.LearningRateScheduler(schedule)],
    )
    model.save("cifar100.keras")


if __name__ == "__main__":
    main()
