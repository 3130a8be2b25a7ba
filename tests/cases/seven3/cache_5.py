# %%
import keras
import tensorflow as tf

VOCAB, LENGTH, BATCH = 30_000, 300, 128

raw_train = keras.utils.text_dataset_from_directory(
    "/kaggle/working/aclImdb/train", batch_size=None, validation_split=0.1, subset="training", seed=3)
raw_valid = keras.utils.text_dataset_from_directory(
    "/kaggle/working/aclImdb/train", batch_size=None, validation_split=0.1, subset="validation", seed=3)


# %%
def clean(text):
    text = tf.strings.lower(text)
    text = tf.strings.regex_replace(text, r"<br\s*/?>", " ")
    return tf.strings.regex_replace(text, r"[^a-z0-9' ]", " ")


vectorize = keras.layers.TextVectorization(VOCAB, standardize=clean, ngrams=2, output_sequence_length=LENGTH)
vectorize.adapt(raw_train.batch(512).map(lambda text, label: text, num_parallel_calls=tf.data.AUTOTUNE))

# %%
encode = lambda text, label: (vectorize(text), label)
train, valid = (
    raw.cache().map(encode, num_parallel_calls=tf.data.AUTOTUNE)
    .shuffle(25_000).batch(BATCH).prefetch(tf.data.AUTOTUNE)
    for raw in (raw_train, raw_valid)
)

# %%
model = keras.Sequential([
    keras.Input((LENGTH,), dtype="int64"),
    keras.layers.Embedding(VOCAB, 64),
    keras.layers.Conv1D(128, 7, activation="relu"),
    keras.layers.GlobalMaxPooling1D(),
    keras.layers.Dropout(0.5),
    keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train, validation_data=valid, epochs=25)
