import tensorflow as tf


def parse_row(line, feature_num):
    fields = tf.io.decode_csv(line, [[0.0]] * feature_num + [[0]])
    return tf.stack(fields[:-1]), fields[-1]


def get_dataset(path, feature_num, batch_size, shuffle_size=1000, is_train=True, cache_file="cache_train"):
    dataset = tf.data.TextLineDataset(path).skip(1)
    dataset = dataset.map(lambda row: parse_row(row, feature_num), num_parallel_calls=tf.data.AUTOTUNE)
    if is_train:
        dataset = dataset.shuffle(shuffle_size).batch(batch_size).cache(cache_file)
    else:
        dataset = dataset.batch(batch_size)
    return dataset.prefetch(tf.data.AUTOTUNE)


def build(feature_num, classes):
    model = tf.keras.Sequential([
        tf.keras.layers.Input((feature_num,)),
        tf.keras.layers.Dense(100, activation="relu"),
        tf.keras.layers.Dense(100, activation="relu"),
        tf.keras.layers.Dense(classes, activation="softmax"),
    ])
    model.compile("adagrad", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def main():
    train_set = get_dataset("iris_big/train.csv", 4, 64)
    validate_set = get_dataset("iris_big/test.csv", 4, 64, is_train=False)
    classifier = build(4, 3)
    classifier.fit(train_set, validation_data=validate_set, epochs=50)
    classifier.save("classifier.keras")


if __name__ == "__main__":
    main()
