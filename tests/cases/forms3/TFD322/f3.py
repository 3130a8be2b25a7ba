import tensorflow as tf


class Letters:
    def __init__(self, pattern):
        self.tensors = []
        self.targets = []
        for name in sorted(tf.io.gfile.glob(pattern)):
            raw = tf.io.read_file(name)
            picture = tf.io.decode_png(raw, channels=1)
            picture = tf.image.resize(picture, (48, 48)) / 255.0
            self.tensors.append(picture)
            self.targets.append(ord(name.split("/")[-2]) - ord("a"))

    def __len__(self):
        return len(self.targets)

    def dataset(self, batch):
        ds = tf.data.Dataset.from_tensor_slices({
            "image": tf.stack(self.tensors),
            "letter": tf.constant(self.targets),
        })
        return ds.shuffle(len(self)).batch(batch).prefetch(tf.data.AUTOTUNE)


train = Letters("letters/*/*.png").dataset(64)
net = tf.keras.Sequential([tf.keras.layers.Conv2D(16, 3), tf.keras.layers.Flatten(), tf.keras.layers.Dense(26)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
opt = tf.keras.optimizers.Adam()
for epoch in range(10):
    for item in train:
        with tf.GradientTape() as tape:
            loss = loss_fn(item["letter"], net(item["image"], training=True))
        grads = tape.gradient(loss, net.trainable_variables)
        opt.apply_gradients(zip(grads, net.trainable_variables))
