# %% [markdown]
# # Sentiment with a small transformer

# %%
import keras
import tensorflow as tf
import tensorflow_datasets as tfds
from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("bert-base-uncased")
MAXLEN = 256


# %%
def encode(text):
    out = tok(text.numpy().decode("utf-8"), truncation=True, max_length=MAXLEN, padding="max_length")
    return tf.constant(out["input_ids"], tf.int32)


# %%
raw = tfds.load("yelp_polarity_reviews", split="train", as_supervised=True, shuffle_files=True)

train = raw.shuffle(10_000).map(
    lambda text, label: (tf.py_function(encode, [text], tf.int32), label),
    num_parallel_calls=tf.data.AUTOTUNE)
train = train.map(lambda ids, label: (tf.ensure_shape(ids, [MAXLEN]), label), num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(64).prefetch(tf.data.AUTOTUNE)

# %%
ids = keras.Input((MAXLEN,), dtype="int32")
x = keras.layers.Embedding(tok.vocab_size, 128, mask_zero=True)(ids)
for _ in range(2):
    x = keras.layers.LayerNormalization()(x + keras.layers.MultiHeadAttention(4, 32)(x, x))
    x = keras.layers.LayerNormalization()(x + keras.layers.Dense(128, activation="gelu")(x))
x = keras.layers.GlobalAveragePooling1D()(x)
model = keras.Model(ids, keras.layers.Dense(1, activation="sigmoid")(x))
model.summary()

# %%
model.compile(keras.optimizers.Adam(1e-4), "binary_crossentropy", metrics=["accuracy"])
history = model.fit(train, epochs=10)
