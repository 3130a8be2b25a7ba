from functools import partial

import tensorflow as tf
import tensorflow_text as tf_text

AUTO = tf.data.AUTOTUNE
tokenizer = tf_text.BertTokenizer("vocab.txt", lower_case=True)


def encode(line, length):
    ids = tokenizer.tokenize([line]).merge_dims(-2, -1)
    ids = ids.to_tensor(shape=(1, length))[0]
    return ids[:-1], ids[1:]


def mapped(ds, fn):
    return ds.map(fn, num_parallel_calls=AUTO)


def after(ds, count):
    return ds.skip(count)


chain = (
    partial(mapped, fn=partial(encode, length=129)),
    partial(after, count=100_000),
)
ds = tf.data.TextLineDataset(sorted(tf.io.gfile.glob("wiki-*.txt")))
for link in chain:
    ds = link(ds)
ds = ds.batch(32, drop_remainder=True).prefetch(AUTO)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(30522, 64),
    tf.keras.layers.GRU(64, return_sequences=True),
    tf.keras.layers.Dense(30522),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=1)
