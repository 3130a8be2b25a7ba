import tensorflow as tf


def page_pairs(path):
    sentences = tf.data.TextLineDataset(path)
    return tf.data.Dataset.zip((sentences, sentences.skip(1)))


books = tf.data.Dataset.list_files("books/*.txt")
pairs = books.interleave(page_pairs, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
pairs = pairs.shuffle(20_000).batch(64).prefetch(tf.data.AUTOTUNE)

vectorize = tf.keras.layers.TextVectorization(max_tokens=10_000, output_sequence_length=40)
vectorize.adapt(pairs.take(100).map(lambda a, b: a, num_parallel_calls=tf.data.AUTOTUNE))
model = tf.keras.models.load_model("next_sentence.keras")
for first, second in pairs:
    model.train_on_batch(vectorize(first), vectorize(second))
