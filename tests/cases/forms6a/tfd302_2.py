import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow.data import AUTOTUNE

BUFFER = {"train": 60_000}
EPOCHS = 30


def to_float(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def stages(split, batch_size):
    def shuffled(ds):
        return ds.shuffle(BUFFER[split]) if split in BUFFER else ds

    def cached(ds):
        return ds.cache()

    def batched(ds):
        ds = ds.batch(batch_size, drop_remainder=split in BUFFER)
        return ds.map(to_float, num_parallel_calls=AUTOTUNE)

    return [shuffled, cached, batched]


def load(batch_size):
    splits = tfds.load("emnist/balanced", as_supervised=True)
    out = {}
    for split, ds in splits.items():
        for stage in stages(split, batch_size):
            ds = ds.apply(stage)
        out[split] = ds.prefetch(AUTOTUNE)
    return out


def main():
    data = load(128)
    model = tf.keras.Sequential([
        tf.keras.Input([28, 28, 1]),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(47),
    ])
    optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))

    for epoch in range(EPOCHS):
        for x, y in data["train"]:
            train_step(x, y)
        accuracy.reset_state()
        for x, y in data["test"]:
            accuracy.update_state(y, model(x, training=False))
        print(epoch, float(accuracy.result()))


if __name__ == "__main__":
    main()
