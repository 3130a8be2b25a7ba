import tensorflow as tf
from transformers import AutoTokenizer

MAX_LEN = 128


def make_encoder(name):
    tok = AutoTokenizer.from_pretrained(name)

    def encode(text):
        enc = tok(text.numpy().decode("utf-8"), truncation=True, padding="max_length", max_length=MAX_LEN)
        return enc["input_ids"], enc["attention_mask"]

    def wrapped(text, label):
        ids, mask = tf.py_function(encode, inp=[text], Tout=(tf.int32, tf.int32))
        ids = tf.ensure_shape(ids, [MAX_LEN])
        mask = tf.ensure_shape(mask, [MAX_LEN])
        return {"input_ids": ids, "attention_mask": mask}, label

    return wrapped


def split_line(line):
    label, text = tf.io.decode_csv(line, [[0], [""]], field_delim="\t", use_quote_delim=False)
    return text, label


encoder = make_encoder("bert-base-uncased")
train = tf.data.TextLineDataset(tf.io.gfile.glob("/data/nli/*.tsv"), num_parallel_reads=8)
train = train.map(split_line, num_parallel_calls=tf.data.AUTOTUNE).shuffle(50_000)
train = train.map(encoder, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(32).prefetch(tf.data.AUTOTUNE)

ids = tf.keras.Input((MAX_LEN,), dtype="int32", name="input_ids")
mask = tf.keras.Input((MAX_LEN,), dtype="int32", name="attention_mask")
h = tf.keras.layers.Embedding(30522, 256)(ids)
h = tf.keras.layers.LSTM(256)(h, mask=tf.keras.ops.cast(mask, "bool"))
model = tf.keras.Model({"input_ids": ids, "attention_mask": mask}, tf.keras.layers.Dense(3)(h))
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=3)
