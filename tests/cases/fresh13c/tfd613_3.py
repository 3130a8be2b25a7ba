"""Image retrieval embedding with a custom train_step in float16."""
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")


class Embedder(tf.keras.Model):
    def __init__(self, classes, dim=256):
        super().__init__()
        self.trunk = tf.keras.applications.ResNet50(include_top=False, weights=None, pooling="avg")
        self.project = tf.keras.layers.Dense(dim)
        self.logits = tf.keras.layers.Dense(classes, dtype="float32")
        self.loss_mean = tf.keras.metrics.Mean(name="loss")

    def call(self, x, training=None):
        return self.logits(self.project(self.trunk(x, training=training)))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            out = self(x, training=True)
            loss = self.compute_loss(x=x, y=y, y_pred=out)
            scaled = self.optimizer.scale_loss(loss)
        grads = tape.gradient(scaled, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        self.loss_mean.update_state(loss)
        return {"loss": self.loss_mean.result()}

    @property
    def metrics(self):
        return [self.loss_mean]


def products(pattern, batch=256):
    def parse(raw):
        ex = tf.io.parse_single_example(raw, {"jpeg": tf.io.FixedLenFeature([], tf.string),
                                              "product": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.image.resize(tf.io.decode_jpeg(ex["jpeg"], channels=3), [224, 224])
        return tf.keras.applications.resnet50.preprocess_input(image), ex["product"]

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE,
                       deterministic=False)
    ds = ds.shuffle(4000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    net = Embedder(11318)
    net.compile(optimizer=tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.SGD(0.05, momentum=0.9)),
                loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    net.fit(products("/data/sop/train-*.tfrecord"), epochs=50)
