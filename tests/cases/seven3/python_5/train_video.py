import csv

import tensorflow as tf

from video_ops import NUM_FRAMES, SIDE, load_clip

strategy = tf.distribute.MirroredStrategy()
GLOBAL_BATCH = 8 * strategy.num_replicas_in_sync

with open("/data/kinetics/train.csv") as f:
    entries = [(row["path"], int(row["label"])) for row in csv.DictReader(f)]
paths, labels = map(list, zip(*entries))

clips = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
clips = clips.map(load_clip, num_parallel_calls=tf.data.AUTOTUNE)
clips = clips.batch(GLOBAL_BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.Input((NUM_FRAMES, SIDE, SIDE, 3)),
        tf.keras.layers.Rescaling(1 / 127.5, offset=-1.0),
        tf.keras.layers.Conv3D(32, (3, 7, 7), strides=(1, 2, 2), activation="relu"),
        tf.keras.layers.Conv3D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.Conv3D(128, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling3D(),
        tf.keras.layers.Dense(400),
    ])
    model.compile(optimizer=tf.keras.optimizers.Adam(3e-4),
                  loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])

model.fit(clips, epochs=45)
