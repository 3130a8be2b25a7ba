import tensorflow as tf

DATA = "signs/train.tfrecord"
BATCH_SIZE = 32
NUM_CLASSES = 43


def parsing_fn(serialized):
    """Images were written with tobytes() in the size that they had on disk."""
    features = {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    }
    parsed_example = tf.io.parse_single_example(serialized=serialized, features=features)
    image_raw = parsed_example["image"]
    image = tf.io.decode_raw(image_raw, tf.uint8)
    image = tf.cast(image, tf.float32) / 255.0
    return image, parsed_example["label"]


def load(path):
    dataset = tf.data.TFRecordDataset(filenames=path)
    dataset = dataset.shuffle(5000)
    dataset = dataset.map(parsing_fn, num_parallel_calls=tf.data.AUTOTUNE)
    dataset = dataset.batch(BATCH_SIZE)
    return dataset.prefetch(tf.data.AUTOTUNE)


class SignNet(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv = tf.keras.layers.Conv2D(32, 5, activation="relu")
        self.pool = tf.keras.layers.GlobalAveragePooling2D()
        self.out = tf.keras.layers.Dense(NUM_CLASSES)

    def call(self, x):
        side = tf.cast(tf.sqrt(tf.cast(tf.shape(x)[1] // 3, tf.float32)), tf.int32)
        x = tf.reshape(x, (-1, side, side, 3))
        return self.out(self.pool(self.conv(x)))


parsed_dataset = load(DATA)
print(parsed_dataset)
for image, label in parsed_dataset.take(2):
    print(image.shape, label)

net = SignNet()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()
for epoch in range(10):
    for image, label in parsed_dataset:
        with tf.GradientTape() as tape:
            loss = loss_fn(label, net(image))
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    print("epoch", epoch, float(loss))
