import tensorflow as tf

GPU = "/GPU:0"


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "frames": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    clip = tf.io.parse_tensor(ex["frames"], tf.uint8)
    clip = tf.ensure_shape(clip, (16, 112, 112, 3))
    return tf.image.convert_image_dtype(clip, tf.float32), ex["label"]


def to_device(ds):
    return ds.apply(tf.data.experimental.prefetch_to_device(GPU, buffer_size=2))


def clips(pattern, batch_size):
    shards = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = shards.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(512).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return to_device(ds.batch(batch_size, drop_remainder=True))


model = tf.keras.Sequential([
    tf.keras.layers.Conv3D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling3D(),
    tf.keras.layers.Conv3D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling3D(),
    tf.keras.layers.Dense(101),
])
optimizer = tf.keras.optimizers.Adam(1e-4)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(clip, label):
    with tf.GradientTape() as tape:
        loss = loss_fn(label, model(clip, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


dataset = clips("gs://ucf101/train-*.tfrecord", 24)
for epoch in range(50):
    for clip, label in dataset:
        loss = train_step(clip, label)
    tf.print("epoch", epoch, "loss", loss)
