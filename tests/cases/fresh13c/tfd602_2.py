"""Higgs boson detection (notebook exported as a script)."""
# %%
import tensorflow as tf

FEATURES = 28
TRAIN_ROWS = 10_500_000
BATCH = 8192


# %%
def columns(lines):
    values = tf.stack(tf.io.decode_csv(lines, [0.0] * (FEATURES + 1)), axis=-1)
    return values[:, 1:], values[:, 0]


shards = tf.data.Dataset.list_files("/data/higgs/train-*.csv.gz")
train = (shards
         .interleave(lambda f: tf.data.TextLineDataset(f, compression_type="GZIP"), cycle_length=16,
                     num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
         .shuffle(200_000)
         .repeat()
         .batch(BATCH, drop_remainder=True)
         .map(columns, num_parallel_calls=tf.data.AUTOTUNE)
         .prefetch(tf.data.AUTOTUNE))


# %%
def dense_block(units, rate):
    def apply(x):
        x = tf.keras.layers.Dense(units)(x)
        x = tf.keras.layers.BatchNormalization()(x)
        x = tf.keras.layers.Activation("relu")(x)
        return tf.keras.layers.Dropout(rate)(x)
    return apply


inputs = tf.keras.Input((FEATURES,))
x = inputs
for units in [2048] * 5:
    x = dense_block(units, 0.3)(x)
outputs = tf.keras.layers.Dense(1, activation="sigmoid")(x)
model = tf.keras.Model(inputs, outputs)
model.compile(optimizer=tf.keras.optimizers.Adam(1e-3), loss="binary_crossentropy",
              metrics=["binary_accuracy", tf.keras.metrics.AUC(name="auc")])

# %%
history = model.fit(train, steps_per_epoch=TRAIN_ROWS // BATCH, epochs=20,
                    callbacks=[tf.keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=2)])
model.save("/models/higgs.keras")
