import tensorflow as tf

spec = {"wave": tf.io.FixedLenFeature([16000], tf.float32), "word": tf.io.FixedLenFeature([], tf.int64)}
files = tf.io.gfile.glob("gs://kws/train-*.tfrecord")

ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
ds = ds.map(lambda r: tf.io.parse_single_example(r, spec), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.cache()
ds = ds.shuffle(20_000).batch(128, drop_remainder=True)
ds = ds.map(
    lambda e: {"spec": tf.math.log1p(tf.abs(tf.signal.stft(e["wave"], 640, 160, 1024))), "word": e["word"]},
    num_parallel_calls=tf.data.AUTOTUNE,
)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv1D(96, 9, activation="relu"),
    tf.keras.layers.Conv1D(96, 9, activation="relu"),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(35),
])
opt = tf.keras.optimizers.Adam(1e-3)
xent = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def update(batch):
    with tf.GradientTape() as tape:
        loss = xent(batch["word"], model(batch["spec"], training=True))
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for epoch in range(100):
    for batch in ds:
        loss = update(batch)
    print(f"epoch {epoch}: {loss.numpy():.4f}")
