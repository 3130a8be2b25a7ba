import tensorflow as tf


class Faces:
    def __init__(self, pattern, side=64):
        self.pattern = pattern
        self.side = side

    def parse(self, record):
        ex = tf.io.parse_single_example(record, {
            "jpeg": tf.io.FixedLenFeature([], tf.string), "age": tf.io.FixedLenFeature([], tf.float32)})
        image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
        image = tf.image.random_flip_left_right(image)
        ex["image"] = tf.image.resize(image, (self.side, self.side), antialias=True)
        return {"image": ex["image"], "age": ex["age"]}

    def __call__(self, batch):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        ds = ds.shuffle(5000).map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


class AgeNet(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv = tf.keras.layers.Conv2D(32, 3, activation="relu")
        self.pool = tf.keras.layers.GlobalAveragePooling2D()
        self.out = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.out(self.pool(self.conv(x)))


net, opt = AgeNet(), tf.keras.optimizers.Adam()
for batch in Faces("utk-*.rec")(64):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(net(batch["image"])[:, 0] - batch["age"]))
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
