from collections import Counter

import keras
import tensorflow as tf

train = keras.utils.image_dataset_from_directory("garbage/train", image_size=(128, 128), batch_size=32, seed=1)
names = train.class_names
steps = int(train.cardinality())

counts = Counter()
for _, labels in train:
    counts.update(labels.numpy().tolist())
total = sum(counts.values())
weights = {k: total / (len(names) * n) for k, n in counts.items()}

train = train.map(lambda x, y: (x / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
train = train.prefetch(tf.data.AUTOTUNE)
schedule = keras.optimizers.schedules.CosineDecay(1e-3, decay_steps=steps * 15)
model = keras.Sequential([
    keras.layers.Conv2D(16, 3, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(len(names), activation="softmax"),
])
model.compile(keras.optimizers.Adam(schedule), "sparse_categorical_crossentropy")
model.fit(train, epochs=15, class_weight=weights)
