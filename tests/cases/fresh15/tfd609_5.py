import glob
import os

import tensorflow as tf

EPOCHS = 40
SPECIES = sorted(os.listdir("/data/fish/train"))


def decode(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (200, 200)) / 255.0
    return image, label


def fish(split, batch_size=64):
    paths, labels = [], []
    for i, name in enumerate(SPECIES):
        found = glob.glob(os.path.join("/data/fish", split, name, "*.jpg"))
        paths += found
        labels += [i] * len(found)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    if split == "train":
        ds = ds.shuffle(len(paths))
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential(
        [
            tf.keras.Input((200, 200, 3)),
            tf.keras.layers.Conv2D(32, 5, strides=2, activation="relu"),
            tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(len(SPECIES)),
        ]
    )
    optimizer = tf.keras.optimizers.AdamW(1e-3)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    ckpt = tf.train.Checkpoint(model=model, optimizer=optimizer)
    manager = tf.train.CheckpointManager(ckpt, "/ckpt/fish", max_to_keep=5)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    train, valid = fish("train"), fish("valid")
    for epoch in range(EPOCHS):
        mean = tf.keras.metrics.Mean()
        for x, y in train:
            mean.update_state(step(x, y))
        correct = tf.keras.metrics.SparseCategoricalAccuracy()
        for x, y in valid:
            correct.update_state(y, model(x, training=False))
        manager.save()
        print(epoch, float(mean.result()), float(correct.result()))


if __name__ == "__main__":
    main()
