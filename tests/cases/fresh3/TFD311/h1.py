import tensorflow as tf

VOCAB = 20000

raw = tf.keras.utils.text_dataset_from_directory("aclImdb/train", batch_size=None, shuffle=False)
vectorize = tf.keras.layers.TextVectorization(VOCAB, output_sequence_length=250)
vectorize.adapt(raw.batch(512).map(lambda t, y: t, num_parallel_calls=tf.data.AUTOTUNE))

shuffle = {"buffer_size": raw.cardinality(), "seed": 31}
train = raw.cache()
train = train.shuffle(**shuffle)
train = train.batch(8)
train = train.map(lambda t, y: (vectorize(t), y), num_parallel_calls=tf.data.AUTOTUNE)
train = train.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(VOCAB, 16),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=10)
