import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (224, 224)) / 255.0
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return image, label


def make_dataset(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.repeat().batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def train(model, dataset, num_steps, logdir):
    optimizer = tf.keras.optimizers.Adam()
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def update(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    iterator = iter(dataset)
    for step in range(num_steps):
        if step == 50:
            tf.profiler.experimental.start(logdir)
        x, y = next(iterator)
        with tf.profiler.experimental.Trace("step", step_num=step, _r=1):
            loss = update(x, y)
        if step == 70:
            tf.profiler.experimental.stop()
            tf.print(step, loss)


if __name__ == "__main__":
    net = tf.keras.applications.MobileNetV3Small(weights=None, classes=120, classifier_activation=None)
    train(net, make_dataset("/data/dogs/*/*.jpg", 64), 10_000, "/tmp/logs")
