import tensorflow as tf


def parse(record):
    example = tf.io.parse_single_example(record, {
        "embedding": tf.io.FixedLenFeature([256], tf.float32),
        "topic": tf.io.FixedLenFeature([], tf.int64),
    })
    return example["embedding"], example["topic"]


def select(records, condition):
    chosen = records.enumerate().filter(lambda i, record: condition(i))
    return chosen.map(lambda i, record: parse(record), num_parallel_calls=tf.data.AUTOTUNE)


records = tf.data.TFRecordDataset("articles.tfrecord")
train = select(records, lambda i: i % 10 != 0)
test = select(records, lambda i: i % 5 == 0)

train = train.shuffle(10_000).batch(128).prefetch(tf.data.AUTOTUNE)
test = test.batch(128).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((256,)),
    tf.keras.layers.Dropout(0.3),
    tf.keras.layers.Dense(20, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=10)
print(model.evaluate(test))
