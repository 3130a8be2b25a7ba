import tensorflow as tf


class Scenes:
    features = {
        "image": tf.io.FixedLenFeature([], tf.string),
        "depth": tf.io.FixedLenFeature([], tf.string),
        "scene": tf.io.FixedLenFeature([], tf.int64),
    }

    def __init__(self, files):
        self.files = files

    def decode(self, record):
        ex = tf.io.parse_single_example(record, self.features)
        image = tf.io.decode_jpeg(ex["image"], channels=3)
        depth = tf.io.decode_png(ex["depth"], channels=1, dtype=tf.uint16)
        return {
            "image": tf.image.resize(image, (160, 160)) / 255.0,
            "depth": tf.image.resize(depth, (160, 160)) / 65535.0,
            "scene": ex["scene"],
        }

    def batches(self, size):
        ds = tf.data.TFRecordDataset(self.files).shuffle(5000)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(size).prefetch(tf.data.AUTOTUNE)


net = tf.keras.Sequential([tf.keras.layers.Conv2D(16, 3), tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(13)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
opt = tf.keras.optimizers.Adam()
for item in Scenes(sorted(tf.io.gfile.glob("nyu-*.rec"))).batches(32):
    with tf.GradientTape() as tape:
        loss = loss_fn(item["scene"], net(item["image"], training=True))
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
