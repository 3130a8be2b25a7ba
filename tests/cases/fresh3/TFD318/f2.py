import tensorflow as tf

DECODERS = {
    "audio": lambda b: tf.audio.decode_wav(b, desired_channels=1, desired_samples=32000)[0],
    "video": lambda b: tf.image.resize(tf.io.decode_gif(b)[:16], (112, 112)),
}
SPEC = {name: tf.io.FixedLenFeature([], tf.string) for name in DECODERS}
SPEC["verb"] = tf.io.FixedLenFeature([], tf.int64)


def parse(record):
    raw = tf.io.parse_single_example(record, SPEC)
    item = {name: decode(raw[name]) for name, decode in DECODERS.items()}
    item["verb"] = raw["verb"]
    return item


def sound_batches(pattern, batch):
    ds = tf.data.TFRecordDataset(sorted(tf.io.gfile.glob(pattern)))
    ds = ds.shuffle(500, seed=0).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(lambda item: (item["audio"], item["verb"]), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv1D(16, 64, strides=16, activation="relu"),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(97, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(sound_batches("kitchen-*.rec", 32), epochs=5)
