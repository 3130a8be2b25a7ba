import tensorflow as tf

BATCH_SIZE = 48

raw = tf.keras.utils.text_dataset_from_directory("questions/train", batch_size=256, seed=10)
classes = raw.class_names

vectorize = tf.keras.layers.TextVectorization(max_tokens=6000, output_sequence_length=80)
vectorize.adapt(raw.map(lambda text, label: text, num_parallel_calls=tf.data.AUTOTUNE))

train = (
    raw.map(lambda text, label: (vectorize(text), label), num_parallel_calls=tf.data.AUTOTUNE)
    .unbatch()
    .cache()
    .shuffle(10_000)
    .batch(BATCH_SIZE)
    .prefetch(tf.data.AUTOTUNE)
)

model = tf.keras.Sequential([
    tf.keras.Input((80,)),
    tf.keras.layers.Embedding(6000, 32),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(len(classes), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=10)
