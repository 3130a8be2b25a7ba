# %% settings
import pathlib

import tensorflow as tf

CFG = {
    "root": "data/xrays",
    "shuffle": {"buffer_size": 50_000, "seed": 5, "reshuffle_each_iteration": False},
    "parts": {"test": 0.1, "valid": 0.1},
    "loader": {"batch_size": 32},
}

# %% files and labels
files = sorted(str(p) for p in pathlib.Path(CFG["root"]).glob("*/*.png"))
labels = [int(pathlib.Path(f).parent.name == "pneumonia") for f in files]
everything = tf.data.Dataset.from_tensor_slices((files, labels)).shuffle(**CFG["shuffle"])

# %% split by position, in the order that was drawn once
parts, rest = {}, everything
for name, share in CFG["parts"].items():
    n = int(share * len(files))
    parts[name], rest = rest.take(n), rest.skip(n)
parts["train"] = rest.shuffle(2048)


# %% decode
def decode(path, label):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (96, 96)) / 255.0, label


loaders = {
    name: part.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(**CFG["loader"])
    .prefetch(tf.data.AUTOTUNE)
    for name, part in parts.items()
}

# %% train
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, strides=2, activation="relu"),
    tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
model.fit(loaders["train"], validation_data=loaders["valid"], epochs=12)
print(model.evaluate(loaders["test"]))
