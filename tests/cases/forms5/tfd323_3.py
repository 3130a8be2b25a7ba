import tensorflow as tf

SPEC = {
    "ids": tf.io.FixedLenFeature([128], tf.int64),
    "label": tf.io.FixedLenFeature([], tf.float32),
}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    return ex["ids"], ex["label"]


def reviews(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.shuffle(100_000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)


def build(vocab=32_000):
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(vocab, 128),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64)),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    return model


def train(model, pattern, epochs):
    for epoch in range(epochs):
        for ids, label in reviews(pattern).prefetch(64):
            logs = model.train_on_batch(ids[None, :], label[None], return_dict=True)
        print(f"epoch {epoch}: {logs}")


if __name__ == "__main__":
    train(build(), "/data/reviews/train-*.tfrecord", epochs=5)
