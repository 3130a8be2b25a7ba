import tensorflow as tf
import tensorflow_datasets as tfds

CONFIG = {
    "vocab": 16_000,
    "length": 200,
    "batch": 64,
    "compile": {
        "optimizer": "adam",
        "loss": "sparse_categorical_crossentropy",
        "metrics": ["accuracy"],
        "run_eagerly": True,
    },
}


def build(cfg, adapt_on):
    vectorize = tf.keras.layers.TextVectorization(
        cfg["vocab"], output_sequence_length=cfg["length"])
    vectorize.adapt(adapt_on)
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(cfg["vocab"], 128),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(4, activation="softmax"),
    ])
    model.compile(**cfg["compile"])
    return vectorize, model


def main(cfg):
    raw = tfds.load("ag_news_subset", split="train", as_supervised=True, shuffle_files=True)
    vectorize, model = build(cfg, raw.batch(1024).map(lambda text, label: text))
    train = (
        raw.shuffle(120_000)
        .batch(cfg["batch"])
        .map(lambda t, l: (vectorize(t), l), num_parallel_calls=tf.data.AUTOTUNE)
        .prefetch(tf.data.AUTOTUNE)
    )
    model.fit(train, epochs=10)


if __name__ == "__main__":
    main(CONFIG)
