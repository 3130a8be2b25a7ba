import json

import tensorflow as tf


def reviews(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["stars"] == 3:
                continue
            yield {"text": record["text"], "positive": int(record["stars"] > 3)}


signature = (
    tf.TensorSpec(shape=(), dtype=tf.string),
    tf.TensorSpec(shape=(), dtype=tf.int32),
)

train = tf.data.Dataset.from_generator(
    reviews, args=["reviews.jsonl"], output_signature=signature
)
train = train.shuffle(20_000).batch(128).prefetch(tf.data.AUTOTUNE)

vectorize = tf.keras.layers.TextVectorization(max_tokens=10_000, output_mode="multi_hot")
vectorize.adapt(train.map(lambda text, positive: text, num_parallel_calls=tf.data.AUTOTUNE))
model = tf.keras.Sequential([vectorize, tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(train, epochs=3)
