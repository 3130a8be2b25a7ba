import tensorflow as tf
import tensorflow_datasets as tfds

IMAGE_SIZE = 160


def preprocess(image, label):
    image = tf.image.resize(tf.cast(image, tf.float32), (IMAGE_SIZE, IMAGE_SIZE))
    return image / 127.5 - 1.0, label


def flip(image, label):
    return tf.image.random_flip_left_right(image), label


def get_examples(split, batchsize, augment=False, cache=False):
    examples = tfds.load("cats_vs_dogs", split=split, as_supervised=True, shuffle_files=augment)
    examples = examples.map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
    if cache:
        examples = examples.cache()
    if augment:
        examples = examples.shuffle(2000)
        examples = examples.map(flip, num_parallel_calls=tf.data.AUTOTUNE)
        examples = examples.batch(batchsize)
    examples = examples.batch(batchsize)
    return examples.prefetch(tf.data.AUTOTUNE)


def build():
    base = tf.keras.applications.MobileNetV2(
        input_shape=(IMAGE_SIZE, IMAGE_SIZE, 3), include_top=False, weights="imagenet", pooling="avg")
    base.trainable = False
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(1)])
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-4),
        loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def main():
    strategy = tf.distribute.MirroredStrategy()
    batchsize = 32 * strategy.num_replicas_in_sync
    train = get_examples("train[:80%]", batchsize, augment=True)
    val = get_examples("train[80%:]", batchsize, cache=True)
    with strategy.scope():
        model = build()
    model.fit(train, validation_data=val, epochs=10)


if __name__ == "__main__":
    main()
