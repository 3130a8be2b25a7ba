import tensorflow as tf

PARAMS = {
    "reader": {
        "cycle_length": 20,
        "block_length": 16,
        "num_parallel_calls": tf.data.AUTOTUNE,
    },
    "shuffle_buffer": 20_000,
    "batch_size": 512,
}

DEFAULTS = [[0], [0], [0], [0.0]]


def parse_csv(lines):
    user, item, hour, rating = tf.io.decode_csv(lines, DEFAULTS)
    return {"user": user, "item": item, "hour": hour}, rating


def without_header(name):
    return tf.data.TextLineDataset(name).skip(1)


def build(pattern, params, training):
    names = tf.data.Dataset.list_files(pattern, shuffle=training)
    lines = names.interleave(without_header, **params["reader"])
    if training:
        lines = lines.shuffle(params["shuffle_buffer"])
    batches = lines.batch(params["batch_size"])
    batches = batches.map(parse_csv, num_parallel_calls=tf.data.AUTOTUNE)
    return batches.prefetch(tf.data.AUTOTUNE)


def build_model():
    sizes = {"user": 200_000, "item": 50_000, "hour": 24}
    inputs = {k: tf.keras.Input([], name=k, dtype="int32") for k in sizes}
    vectors = [tf.keras.layers.Embedding(sizes[k], 16)(v) for k, v in inputs.items()]
    x = tf.keras.layers.Concatenate()(vectors)
    x = tf.keras.layers.Dense(256, activation="relu")(x)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x))
    model.compile("adam", "mse")
    return model


def main():
    train = build("/data/ratings/train-*.csv", PARAMS, True)
    valid = build("/data/ratings/valid-*.csv", PARAMS, False)
    build_model().fit(train, validation_data=valid, epochs=4)


if __name__ == "__main__":
    main()
