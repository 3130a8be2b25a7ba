import tensorflow as tf

SOURCES = ["en", "de", "fr"]
WEIGHTS = [0.6, 0.4]


def read(language):
    files = tf.data.Dataset.list_files(f"corpus/{language}/*.txt")
    lines = files.interleave(tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
    return lines.shuffle(10_000).repeat()


def encode(line):
    ids = tf.strings.unicode_decode(line, "UTF-8")[:128]
    return tf.pad(ids, [[0, 128 - tf.shape(ids)[0]]])


mixed = tf.data.Dataset.sample_from_datasets(
    [read(language) for language in SOURCES], weights=WEIGHTS, seed=9
)
mixed = mixed.map(encode, num_parallel_calls=tf.data.AUTOTUNE)
mixed = mixed.batch(64).prefetch(tf.data.AUTOTUNE)

for batch in mixed.take(1000):
    print(batch.shape)
