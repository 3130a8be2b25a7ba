"""SVHN with standardized pixels (custom loop)."""
import tensorflow as tf
import tensorflow_datasets as tfds


class Standardize:
    def __init__(self, mean, std):
        self.mean = tf.constant(mean)
        self.std = tf.constant(std)

    def __call__(self, sample):
        image = tf.image.convert_image_dtype(sample["image"], tf.float32)
        return (image - self.mean) / self.std, sample["label"]


standardize = Standardize([0.4377, 0.4438, 0.4728], [0.1980, 0.2010, 0.1970])


def split(name, batch_size):
    ds = tfds.load("svhn_cropped", split=name, shuffle_files=True)
    ds = ds.cache().shuffle(73_257)
    ds = ds.map(standardize, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def block(width):
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(width, 3, padding="same", use_bias=False),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.ReLU(),
        tf.keras.layers.MaxPooling2D(),
    ])


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [block(w) for w in (64, 128, 256)]
        self.pool = tf.keras.layers.GlobalAveragePooling2D()
        self.head = tf.keras.layers.Dense(10)

    def call(self, x, training=False):
        for b in self.blocks:
            x = b(x, training=training)
        return self.head(self.pool(x))


net, optimizer = Net(), tf.keras.optimizers.Adam(1e-3)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, net(images, training=True))
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    return loss


train = split("train", 128)
for epoch in range(40):
    for images, labels in train:
        loss = train_step(images, labels)
    print(epoch, float(loss))
