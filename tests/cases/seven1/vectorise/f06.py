import tensorflow as tf

COLUMNS = ["pickup_lat", "pickup_lon", "dropoff_lat", "dropoff_lon", "hour", "fare"]
DEFAULTS = [[0.0]] * len(COLUMNS)


def read_row(line):
    values = tf.io.decode_csv(line, record_defaults=DEFAULTS)
    row = dict(zip(COLUMNS, values))
    fare = row.pop("fare")
    return row, fare


def open_file(path):
    return tf.data.TextLineDataset(path).skip(1)


files = tf.data.Dataset.list_files("/mnt/taxi/trips-*.csv")
lines = files.interleave(open_file, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
rows = lines.shuffle(100_000)
rows = rows.map(read_row, num_parallel_calls=tf.data.AUTOTUNE)
train_ds = rows.batch(4096, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Input((5,)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
])
optimizer = tf.keras.optimizers.Adam(1e-3)
loss_fn = tf.keras.losses.Huber()


@tf.function
def train_step(row, fare):
    x = tf.stack([row[c] for c in COLUMNS[:-1]], axis=-1)
    with tf.GradientTape() as tape:
        pred = tf.squeeze(model(x, training=True), -1)
        loss = loss_fn(fare, pred)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for epoch in range(5):
    for row, fare in train_ds:
        loss = train_step(row, fare)
    print(epoch, float(loss))
