"""Residual network as a subclassed model with a custom train_step."""
import tensorflow as tf
from tensorflow.keras import layers


class Unit(layers.Layer):
    def __init__(self, width, stride):
        super().__init__()
        self.norm_a = layers.BatchNormalization()
        self.norm_b = layers.BatchNormalization()
        self.conv_a = layers.Conv2D(width, 3, strides=stride, padding="same")
        self.conv_b = layers.Conv2D(width, 3, padding="same")
        self.short = layers.Conv2D(width, 1, strides=stride, use_bias=False)

    def call(self, x, training=None):
        y = tf.nn.relu(self.norm_a(self.conv_a(x), training=training))
        y = self.norm_b(self.conv_b(y), training=training)
        return tf.nn.relu(y + self.short(x))


class SmallResNet(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.units = [Unit(w, s) for w, s in ((64, 1), (128, 2), (256, 2), (512, 2))]
        self.pool = layers.GlobalAveragePooling2D()
        self.head = layers.Dense(classes)

    def call(self, x, training=None):
        for unit in self.units:
            x = unit(x, training=training)
        return self.head(self.pool(x))

    def train_step(self, data):
        images, labels = data
        with tf.GradientTape() as tape:
            logits = self(images, training=True)
            loss = self.compute_loss(x=images, y=labels, y_pred=logits)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"loss": loss}


def tiny_imagenet(root, batch=256):
    files = tf.io.gfile.glob(root + "/train/*/images/*.JPEG")
    ids = sorted({f.split("/")[-3] for f in files})
    labels = [ids.index(f.split("/")[-3]) for f in files]

    def load(path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.cast(tf.ensure_shape(image, [64, 64, 3]), tf.float32) / 255.0, label

    ds = tf.data.Dataset.from_tensor_slices((files, labels)).shuffle(len(files))
    return ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(batch).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    net = SmallResNet(200)
    net.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
                tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    net.fit(tiny_imagenet("/data/tiny-imagenet-200"), epochs=60)
