import tensorflow as tf

tf.debugging.enable_check_numerics()
tf.config.run_functions_eagerly(False)


def tokens(line):
    words = tf.strings.split(tf.strings.lower(line))[:64]
    return tf.strings.to_hash_bucket_fast(words, 20_000)


def corpus(paths, batch_size=64):
    lines = tf.data.TextLineDataset(paths).shuffle(50_000)
    ids = lines.map(tokens, num_parallel_calls=tf.data.AUTOTUNE)
    return ids.padded_batch(batch_size, padded_shapes=[64]).prefetch(tf.data.AUTOTUNE)


options = tf.data.Options()
options.experimental_deterministic = False
batches = corpus(["wiki-00.txt", "wiki-01.txt"]).with_options(options)

model = tf.keras.models.load_model("embedder.keras")
for batch in batches:
    model.train_on_batch(batch, batch)
model.save("embedder.keras")
