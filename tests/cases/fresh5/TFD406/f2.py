import tensorflow as tf


def count_batches(dataset):
    n = 0
    for _ in dataset:
        n += 1
    return n


def main():
    train = tf.keras.utils.image_dataset_from_directory(
        "/data/food/train", image_size=(224, 224), batch_size=32)
    classes = len(train.class_names)
    batches = count_batches(train)
    print(f"{batches} batches of {classes} classes")
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1.0 / 255),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(classes),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train.prefetch(tf.data.AUTOTUNE), epochs=10)


if __name__ == "__main__":
    main()
