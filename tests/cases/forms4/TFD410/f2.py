import tensorflow as tf
from tensorflow.data.experimental import enable_debug_mode


def configure(memory_growth=True):
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, memory_growth)
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    enable_debug_mode()


def tokens(line):
    words = tf.strings.split(tf.strings.lower(line))[:64]
    return tf.strings.to_hash_bucket_fast(words, 20_000)


def corpus(paths, batch_size=64):
    lines = tf.data.TextLineDataset(paths).shuffle(50_000)
    ids = lines.map(tokens, num_parallel_calls=tf.data.AUTOTUNE)
    return ids.padded_batch(batch_size, padded_shapes=[64]).prefetch(tf.data.AUTOTUNE)


def main():
    configure()
    model = tf.keras.models.load_model("embedder.keras")
    for batch in corpus(["wiki-00.txt", "wiki-01.txt"]):
        model.train_on_batch(batch, batch)
    model.save("embedder.keras")


if __name__ == "__main__":
    main()
