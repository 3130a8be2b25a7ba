import numpy as np
import tensorflow as tf

DOMAINS = {"news": 60, "chat": 40, "law": 30}
train_parts, valid_parts = [], []
for seed, (domain, size) in enumerate(DOMAINS.items()):
    rng = np.random.default_rng(seed)
    tokens = rng.integers(1, 50, (size, 10))
    label = rng.integers(0, 2, size)
    cut = size * 4 // 5
    train_parts += [tf.data.Dataset.from_tensor_slices((tokens[:cut], label[:cut]))]
    valid_parts.extend([tf.data.Dataset.from_tensor_slices((tokens[cut:], label[cut:]))])

train = train_parts[0]
for part in train_parts[1:]:
    train = train.concatenate(part)
train = train.shuffle(130).batch(13).prefetch(tf.data.AUTOTUNE)

for i, part in enumerate(valid_parts):
    valid_parts[i] = part.batch(13).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((10,), dtype="int64"),
    tf.keras.layers.Embedding(50, 8),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=2, verbose=0)
for domain, valid in zip(DOMAINS, valid_parts):
    print(domain, model.evaluate(valid, verbose=0)[1])
