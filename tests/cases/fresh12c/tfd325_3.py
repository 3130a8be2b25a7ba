"""Protein secondary structure: residues as one-hot vectors for a dilated CNN."""
import tensorflow as tf

N_AA, N_STATES, LENGTH = 21, 8, 512
TABLE = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(list("ACDEFGHIKLMNPQRSTVWY"), list(range(20))), 20)


def tokenize(line):
    seq, states = tf.unstack(tf.strings.split(line, "\t"), num=2)
    ids = tf.cast(TABLE.lookup(tf.strings.bytes_split(seq)), tf.uint8)
    lab = tf.strings.to_number(tf.strings.bytes_split(states), tf.int32)
    n = tf.minimum(tf.size(ids), LENGTH)
    pad = [[0, LENGTH - n]]
    ids = tf.pad(ids[:n], pad, constant_values=20)
    lab = tf.pad(tf.cast(lab[:n], tf.int8), pad, constant_values=-1)
    return tf.ensure_shape(ids, [LENGTH]), tf.ensure_shape(lab, [LENGTH])


def expand(ids, lab):
    lab = tf.cast(lab, tf.int32)
    weight = tf.cast(lab >= 0, tf.float32)
    return tf.one_hot(ids, N_AA), tf.maximum(lab, 0), weight


def input_fn(files, training):
    ds = tf.data.TextLineDataset(files, num_parallel_reads=8)
    ds = ds.map(tokenize, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache()
    if training:
        ds = ds.shuffle(20_000)
    ds = ds.batch(128, drop_remainder=training)
    ds = ds.map(expand, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


x = inp = tf.keras.Input((LENGTH, N_AA))
for rate in (1, 2, 4, 8, 16):
    x = tf.keras.layers.Conv1D(128, 5, padding="same", dilation_rate=rate, activation="relu")(x)
model = tf.keras.Model(inp, tf.keras.layers.Dense(N_STATES)(x))
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
train_files = tf.io.gfile.glob("/data/protein/train/*.tsv")
model.fit(input_fn(train_files, True),
          validation_data=input_fn(tf.io.gfile.glob("/data/protein/valid/*.tsv"), False), epochs=40)
