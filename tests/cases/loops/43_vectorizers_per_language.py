import tensorflow as tf

AUTO = tf.data.AUTOTUNE
TEXTS = {
    "en": (["good film", "bad film", "fine plot", "awful plot"] * 8, [1, 0, 1, 0] * 8),
    "de": (["guter film", "mieser film", "feine idee", "dumme idee"] * 8, [1, 0, 1, 0] * 8),
}

prepared = {}
for lang, (texts, labels) in TEXTS.items():
    raw = tf.data.Dataset.from_tensor_slices((texts, labels))
    vectorize = tf.keras.layers.TextVectorization(max_tokens=50, output_sequence_length=4)
    vectorize.adapt(texts)
    prepared[lang] = (vectorize, raw)

for lang, (vectorize, raw) in list(prepared.items()):
    def encode(text, label, layer=vectorize):
        return layer(text), label

    ds = raw.shuffle(32).batch(8).map(encode, num_parallel_calls=AUTO).prefetch(AUTO)
    prepared[lang] = (vectorize.vocabulary_size(), ds)

for lang, (vocabulary, ds) in prepared.items():
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(vocabulary, 6),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy")
    model.fit(ds, epochs=2, verbose=0)
