import random

import tensorflow as tf

SYNONYMS = {"big": ["large", "huge"], "small": ["tiny", "little"], "fast": ["quick", "rapid"]}


def swap(sentence):
    words = sentence.numpy().decode().split()
    return " ".join(random.choice(SYNONYMS.get(word, [word])) for word in words)


def augment(sentence, label):
    return tf.ensure_shape(tf.py_function(swap, [sentence], tf.string), []), label


def split(line):
    parts = tf.strings.split(line, "\t")
    return parts[1], tf.strings.to_number(parts[0])


def build(path, seed):
    random.seed(seed)
    tf.random.set_seed(seed)
    ds = tf.data.TextLineDataset(path).shuffle(10_000, seed=seed)
    ds = ds.map(split, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(32).prefetch(tf.data.AUTOTUNE)


train = build("opinions.tsv", seed=11)
vectorize = tf.keras.layers.TextVectorization(max_tokens=5000, output_mode="multi_hot")
vectorize.adapt(train.map(lambda text, label: text, num_parallel_calls=tf.data.AUTOTUNE))
model = tf.keras.Sequential([vectorize, tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(train, epochs=5)
