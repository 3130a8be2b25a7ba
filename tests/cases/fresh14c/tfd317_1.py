from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Settings:
    pattern: str = "food/*/*.jpg"
    image_size: int = 192
    batch_size: int = 48
    val_size: int = 5000
    epochs: int = 12


S = Settings()
NAMES = sorted(tf.io.gfile.listdir("food"))
TABLE = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(NAMES, tf.range(len(NAMES), dtype=tf.int64)), default_value=-1
)


def decode(path):
    name = tf.strings.split(path, "/")[-2]
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, [S.image_size, S.image_size])
    return image / 127.5 - 1.0, TABLE.lookup(name)


def split():
    files = tf.data.Dataset.list_files(S.pattern, shuffle=True, seed=3)
    files = tf.data.Dataset.from_tensor_slices(list(files.as_numpy_iterator()))
    examples = files.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    valid = examples.take(S.val_size)
    train = examples.skip(S.val_size)
    train = train.shuffle(1500).batch(S.batch_size).prefetch(tf.data.AUTOTUNE)
    valid = valid.batch(S.batch_size).prefetch(tf.data.AUTOTUNE)
    return train, valid


def build():
    base = tf.keras.applications.MobileNetV2(
        input_shape=(S.image_size, S.image_size, 3), include_top=False, pooling="avg"
    )
    base.trainable = False
    inputs = tf.keras.Input((S.image_size, S.image_size, 3))
    x = base(inputs, training=False)
    x = tf.keras.layers.Dropout(0.2)(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(len(NAMES))(x))


if __name__ == "__main__":
    train_ds, valid_ds = split()
    model = build()
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-3),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(train_ds, validation_data=valid_ds, epochs=S.epochs)
