import datetime

import tensorflow as tf

LOGDIR = "logs/" + datetime.datetime.now().strftime("%m%d-%H%M")
SPEC = {"pixels": tf.io.FixedLenFeature([64 * 64 * 3], tf.float32), "label": tf.io.FixedLenFeature([], tf.int64)}

ds = tf.data.Dataset.list_files("/data/svhn/train-*.tfrecord")
ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(10_000).batch(256, drop_remainder=True)
ds = ds.map(lambda r: tf.io.parse_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((64 * 64 * 3,)),
    tf.keras.layers.Reshape((64, 64, 3)),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(128, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(batch):
    with tf.GradientTape() as tape:
        loss = loss_fn(batch["label"], model(batch["pixels"], training=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


tf.profiler.experimental.start(LOGDIR)
for step, batch in enumerate(ds.take(200)):
    with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
        loss = train_step(batch)
tf.profiler.experimental.stop()
print("last loss", float(loss))
