import tensorflow as tf
import tensorflow_datasets as tfds


def normalise(ex):
    image = tf.image.resize(tf.cast(ex["image"], tf.float32), (160, 160))
    image = tf.image.per_image_standardization(image)
    edges = tf.image.sobel_edges(image[tf.newaxis])[0]
    image = tf.concat([image, tf.reshape(edges, (160, 160, 6))], axis=-1)
    return image, ex["label"]


def load_splits(names):
    splits = {}
    for name in names:
        raw = tfds.load("cats_vs_dogs", split=names[name]).cache()
        if name == "train":
            raw = raw.shuffle(5000, reshuffle_each_iteration=True)
        splits[name] = raw
    return {
        name: ds.map(normalise, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(128)
        .prefetch(tf.data.AUTOTUNE)
        for name, ds in splits.items()
    }


def main():
    splits = load_splits({"train": "train[:80%]", "valid": "train[80%:]"})
    model = tf.keras.applications.MobileNetV2(
        (160, 160, 9), weights=None, classes=2)
    optimizer = tf.keras.optimizers.Adam(1e-3)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    count = 0
    for epoch in range(30):
        for x, y in splits["train"]:
            with tf.profiler.experimental.Trace("train", step_num=count, _r=1):
                loss = step(x, y)
            count += 1
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
