import tensorflow as tf

SPEC = {"jpeg": tf.io.FixedLenFeature([], tf.string)}


def decode(record):
    jpeg = tf.io.parse_single_example(record, SPEC)["jpeg"]
    image = tf.io.decode_jpeg(jpeg, channels=3)
    return tf.image.resize(image, (256, 256)) / 255.0


files = tf.data.Dataset.list_files("/data/photos/*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(4000).prefetch(tf.data.AUTOTUNE)
ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE).batch(16)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, strides=2, padding="same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(3, 3, strides=2, padding="same"),
])
opt = tf.keras.optimizers.Adam()


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - x))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for epoch in range(10):
    for images in ds:
        loss = train_step(images)
    print(epoch, float(loss))
