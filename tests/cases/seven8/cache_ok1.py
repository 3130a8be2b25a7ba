"""Oxford-IIIT style classification with a cached decoded set."""
import tensorflow as tf
import tensorflow_datasets as tfds

AUTOTUNE = tf.data.AUTOTUNE
SIZE, CROP = 160, 144


def decode_resize(ex):
    img = tf.io.decode_jpeg(ex["image"], channels=3)
    img = tf.image.resize(img, [SIZE, SIZE], antialias=True)
    return tf.cast(tf.round(img), tf.uint8), ex["label"]


def augment(img, label):
    """Different every epoch, therefore after the cache."""
    img = tf.image.random_crop(img, [CROP, CROP, 3])
    img = tf.image.random_flip_left_right(img)
    img = tf.image.random_jpeg_quality(img, 60, 100)
    img = tf.image.random_hue(tf.cast(img, tf.float32) / 255.0, 0.05)
    img = tf.image.random_contrast(img, 0.7, 1.3)
    return img, label


def center(img, label):
    return tf.image.resize_with_crop_or_pad(img, CROP, CROP), label


def datasets(name, batch_size):
    (train, test), info = tfds.load(
        name, split=["train", "test"], with_info=True,
        decoders={"image": tfds.decode.SkipDecoding()})
    train = (train.map(decode_resize, num_parallel_calls=AUTOTUNE)
             .cache()
             .shuffle(20_000)
             .map(augment, num_parallel_calls=AUTOTUNE)
             .batch(batch_size, drop_remainder=True)
             .prefetch(AUTOTUNE))
    test = (test.map(decode_resize, num_parallel_calls=AUTOTUNE)
            .map(center, num_parallel_calls=AUTOTUNE)
            .batch(batch_size)
            .map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=AUTOTUNE)
            .cache()
            .prefetch(AUTOTUNE))
    return train, test, info.features["label"].num_classes


def main():
    train, test, classes = datasets("stanford_dogs", 64)
    base = tf.keras.applications.MobileNetV2(
        include_top=False, weights="imagenet", input_shape=(CROP, CROP, 3), pooling="avg")
    inp = tf.keras.Input((CROP, CROP, 3))
    x = base(tf.keras.layers.Rescaling(2.0, -1.0)(inp))
    model = tf.keras.Model(inp, tf.keras.layers.Dense(classes)(x))
    model.compile(tf.keras.optimizers.Adam(1e-4),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(train, validation_data=test, epochs=60)


if __name__ == "__main__":
    main()
