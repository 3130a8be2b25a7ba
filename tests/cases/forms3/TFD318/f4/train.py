import tensorflow as tf

from schema import parse_sequence

files = sorted(tf.io.gfile.glob("sessions-*.rec"))
ds = tf.data.TFRecordDataset(files).shuffle(50000)
ds = ds.map(parse_sequence, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.map(lambda ctx, seq: (seq["item"], ctx["bought"]), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.padded_batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(20000, 32, mask_zero=True),
    tf.keras.layers.GRU(32),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=4)
