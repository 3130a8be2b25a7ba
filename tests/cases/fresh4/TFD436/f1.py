import tensorflow as tf


def pages(path):
    return tf.data.TextLineDataset(path)


def previous_and_next(sentences):
    return sentences[0], sentences[1]


books = tf.data.Dataset.list_files("books/*.txt")
sentences = books.interleave(
    pages, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE
)
pairs = sentences.batch(2, drop_remainder=True)
pairs = pairs.map(previous_and_next, num_parallel_calls=tf.data.AUTOTUNE)
pairs = pairs.shuffle(20_000).batch(64).prefetch(tf.data.AUTOTUNE)

vectorize = tf.keras.layers.TextVectorization(max_tokens=10_000, output_sequence_length=40)
vectorize.adapt(sentences.take(5000).batch(128))
model = tf.keras.models.load_model("next_sentence.keras")
for first, second in pairs:
    model.train_on_batch(vectorize(first), vectorize(second))
