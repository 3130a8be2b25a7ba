import tensorflow as tf
import tensorflow_datasets as tfds


def images(batch_size):
    ds = tfds.load("cifar10", split="train", as_supervised=True, shuffle_files=True)
    ds = ds.shuffle(50_000).repeat().batch(batch_size, drop_remainder=True)
    ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


class Trainer:
    def __init__(self, model, dataset, logdir):
        self.model = model
        self.iterator = iter(dataset)
        self.logdir = logdir
        self.optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def _next(self):
        return next(self.iterator)

    def fit(self, steps, profile_from=100, profile_to=130):
        for step in range(steps):
            if step == profile_from:
                tf.profiler.experimental.start(self.logdir)
            x, y = self._next()
            with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                loss = self.train_step(x, y)
            if step == profile_to:
                tf.profiler.experimental.stop()
            if step % 200 == 0:
                print(step, float(loss))


if __name__ == "__main__":
    net = tf.keras.applications.ResNet50(weights=None, classes=10, input_shape=(32, 32, 3),
                                         classifier_activation=None)
    Trainer(net, images(256), "/tmp/logs/resnet").fit(5000)
