import tensorflow as tf
import tensorflow_datasets as tfds

SIDE = 224
AUTOTUNE = tf.data.AUTOTUNE


def resize(image, label):
    return tf.image.resize(image, [SIDE, SIDE]), label


def scale(images, labels):
    return images / 127.5 - 1.0, labels


def load(split, batch_size, training):
    ds = tfds.load("oxford_flowers102", split=split, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.shuffle(1020)
    ds = ds.map(resize, num_parallel_calls=AUTOTUNE)
    ds = ds.batch(batch_size)
    ds = ds.map(scale, num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE)


def build(classes):
    backbone = tf.keras.applications.MobileNetV3Large(
        input_shape=(SIDE, SIDE, 3), include_top=False, pooling="avg", include_preprocessing=False
    )
    backbone.trainable = False
    inputs = tf.keras.Input([SIDE, SIDE, 3])
    x = backbone(inputs, training=False)
    x = tf.keras.layers.Dropout(0.3)(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(classes)(x))


if __name__ == "__main__":
    train = load("train", 32, True)
    valid = load("validation", 32, False)
    model = build(102)
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-3),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(train, validation_data=valid, epochs=20)
