import tensorflow as tf


def lines(path):
    return tf.data.TextLineDataset(path).map(
        tf.strings.lower, num_parallel_calls=tf.data.AUTOTUNE
    )


def short_enough(sentence):
    return tf.strings.length(sentence) < 200


pairs = tf.data.Dataset.zip((lines("europarl.en"), lines("europarl.fi")))
pairs = pairs.filter(short_enough)
pairs = pairs.shuffle(50_000)
pairs = pairs.batch(64).prefetch(tf.data.AUTOTUNE)

english = tf.keras.layers.TextVectorization(max_tokens=10_000)
finnish = tf.keras.layers.TextVectorization(max_tokens=10_000)
english.adapt(pairs.map(lambda en, fi: en, num_parallel_calls=tf.data.AUTOTUNE))
finnish.adapt(pairs.map(lambda en, fi: fi, num_parallel_calls=tf.data.AUTOTUNE))
print(english.vocabulary_size(), finnish.vocabulary_size())
