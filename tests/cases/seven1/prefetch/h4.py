import tensorflow as tf


def parse(rec):
    f = tf.io.parse_single_example(rec, {"x": tf.io.FixedLenFeature([128], tf.float32),
                                         "y": tf.io.FixedLenFeature([], tf.int64)})
    return f["x"], f["y"]


files = tf.io.gfile.glob("/data/embeddings/train-*")
ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(10000).batch(512, drop_remainder=True)
ds = ds.apply(tf.data.experimental.prefetch_to_device("/gpu:0"))

model = tf.keras.Sequential([tf.keras.layers.Dense(256, activation="relu"), tf.keras.layers.Dense(50)])
opt = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for _ in range(10):
    for x, y in ds:
        train_step(x, y)
