# %%
import keras
import tensorflow as tf
import tensorflow_datasets as tfds
import tensorflow_text as text

AUTO = tf.data.AUTOTUNE
tokenizer = text.BertTokenizer("/data/bert/vocab.txt", lower_case=True)
START, END, LENGTH = 101, 102, 128

# %%
raw = {name: tfds.load("glue/qqp", split=name) for name in ("train", "validation")}
raw = {name: ds.cache() for name, ds in raw.items()}
raw["train"] = raw["train"].shuffle(50_000)


# %%
def pack(batch):
    trimmer = text.RoundRobinTrimmer(LENGTH - 3)
    pieces = [tokenizer.tokenize(batch[q]).merge_dims(-2, -1) for q in ("question1", "question2")]
    joined, kinds = text.combine_segments(trimmer.trim(pieces), START, END)
    ids, mask = text.pad_model_inputs(joined, LENGTH)
    kinds, _ = text.pad_model_inputs(kinds, LENGTH)
    return {"ids": ids, "mask": mask, "kinds": kinds}, batch["label"]


# %%
ready = {
    name: ds.batch(64).map(pack, num_parallel_calls=AUTO).prefetch(AUTO)
    for name, ds in raw.items()
}

# %%
ids, mask, kinds = (keras.Input((LENGTH,), dtype="int32", name=n) for n in ("ids", "mask", "kinds"))
x = keras.layers.Embedding(30_522, 256)(ids) + keras.layers.Embedding(2, 256)(kinds)
keep = keras.ops.cast(mask, "bool")[:, None, :]
for _ in range(4):
    x = keras.layers.LayerNormalization()(x + keras.layers.MultiHeadAttention(8, 32)(x, x, attention_mask=keep))
    x = keras.layers.LayerNormalization()(x + keras.layers.Dense(256, activation="relu")(x))
model = keras.Model({"ids": ids, "mask": mask, "kinds": kinds}, keras.layers.Dense(2)(x[:, 0]))

# %%
model.compile(keras.optimizers.AdamW(1e-4), keras.losses.SparseCategoricalCrossentropy(from_logits=True),
              metrics=["accuracy"])
model.fit(ready["train"], validation_data=ready["validation"], epochs=10)
