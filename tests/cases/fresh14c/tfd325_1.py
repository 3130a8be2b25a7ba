import tensorflow as tf

VOCABULARY = 8000
LENGTH = 64
BATCH = 64


def load_lines(path):
    with open(path, encoding="utf-8") as handle:
        return [line.strip() for line in handle if line.strip()]


def make_vectorizer(lines):
    vectorizer = tf.keras.layers.TextVectorization(VOCABULARY, output_sequence_length=LENGTH + 1)
    vectorizer.adapt(tf.data.Dataset.from_tensor_slices(lines).batch(1024))
    return vectorizer


def build_dataset(lines, vectorizer):
    def tokenise(batch):
        return vectorizer(batch)

    def to_pairs(ids):
        inputs = ids[:-1]
        targets = tf.one_hot(ids[1:], VOCABULARY)
        return inputs, targets

    ds = tf.data.Dataset.from_tensor_slices(lines)
    ds = ds.batch(1024).map(tokenise, num_parallel_calls=tf.data.AUTOTUNE).unbatch()
    ds = ds.map(to_pairs, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache()
    ds = ds.shuffle(2000)
    ds = ds.batch(BATCH, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def language_model():
    ids = tf.keras.Input([LENGTH], dtype=tf.int64)
    x = tf.keras.layers.Embedding(VOCABULARY, 256)(ids)
    x = tf.keras.layers.LSTM(512, return_sequences=True)(x)
    x = tf.keras.layers.Dropout(0.3)(x)
    return tf.keras.Model(ids, tf.keras.layers.Dense(VOCABULARY)(x))


def main():
    lines = load_lines("corpus/train.txt")
    vectorizer = make_vectorizer(lines)
    dataset = build_dataset(lines, vectorizer)
    model = language_model()
    model.compile(
        optimizer="adam",
        loss=tf.keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1),
    )
    model.fit(dataset, epochs=15)
    model.save("lm.keras")


if __name__ == "__main__":
    main()
