import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")

AUTOTUNE = tf.data.AUTOTUNE
SIDE = 256


def read(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [SIDE, SIDE]) / 255.0, label


def dataset(root, classes, batch_size):
    paths, labels = [], []
    for index, name in enumerate(classes):
        found = tf.io.gfile.glob(f"{root}/{name}/*.jpg")
        paths += found
        labels += [index] * len(found)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.shuffle(len(paths))
    ds = ds.map(read, num_parallel_calls=AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(AUTOTUNE)


def build(classes):
    inputs = tf.keras.Input([SIDE, SIDE, 3])
    x = inputs
    for width in (64, 128, 256):
        x = tf.keras.layers.Conv2D(width, 3, strides=2, padding="same", activation="relu")(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(classes, dtype="float32")(x))


def main(epochs=20):
    classes = ["cardboard", "glass", "metal", "paper", "plastic"]
    model = build(len(classes))
    optimizer = tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.Adam(1e-3))
    optimizer.build(model.trainable_variables)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    mean = tf.keras.metrics.Mean()

    @tf.function
    def train_step(images, labels):
        with tf.GradientTape() as tape:
            loss = loss_fn(labels, model(images, training=True))
            scaled = optimizer.scale_loss(loss)
        grads = tape.gradient(scaled, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        mean.update_state(loss)

    train = dataset("waste/train", classes, 64)
    for epoch in range(epochs):
        mean.reset_state()
        for images, labels in train:
            train_step(images, labels)
        print(epoch, float(mean.result()))
    model.save("waste.keras")


if __name__ == "__main__":
    main()
