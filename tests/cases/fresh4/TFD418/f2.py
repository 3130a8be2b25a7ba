import tensorflow as tf

PARTS = ("question", "answer", "score")


def branch(part, seed):
    lines = tf.data.TextLineDataset(f"forum/{part}.txt")
    return lines.shuffle(30_000, seed=seed)


def build(batch_size=64):
    branches = [branch(part, seed) for seed, part in enumerate(PARTS)]
    rows = tf.data.Dataset.zip(tuple(branches))
    rows = rows.map(
        lambda question, answer, score: (
            tf.strings.join([question, answer], separator=" [SEP] "),
            tf.strings.to_number(score),
        ),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    return rows.batch(batch_size).prefetch(tf.data.AUTOTUNE)


train = build()
vectorize = tf.keras.layers.TextVectorization(max_tokens=10_000, output_mode="tf_idf")
vectorize.adapt(train.map(lambda text, score: text, num_parallel_calls=tf.data.AUTOTUNE))
model = tf.keras.Sequential([vectorize, tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(train, epochs=5)
