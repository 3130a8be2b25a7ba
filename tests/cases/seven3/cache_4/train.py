import tensorflow as tf

from stages import build

RECIPE = [
    ("decode",),
    ("cache", "/tmp/eurosat"),
    ("render",),
    ("shuffle", 4096),
    ("flip",),
    ("batch", 64),
]


def source(pattern):
    names = tf.data.Dataset.list_files(pattern, shuffle=False)
    return names.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)


def main():
    train = build(source("/data/eurosat/train-*.tfrecord"), RECIPE)
    model = tf.keras.Sequential([
        tf.keras.Input((96, 96, 3)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(10),
    ])
    model.compile(optimizer="adam",
                  loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(train, epochs=50)


if __name__ == "__main__":
    main()
