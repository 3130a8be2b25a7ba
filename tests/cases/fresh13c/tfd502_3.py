"""Custom loop for a GAN-free image colouriser, with a helper for the profiler's step markers."""
import tensorflow as tf


def step_marker(step):
    return tf.profiler.experimental.Trace("train", step_num=step, _r=1)


def colour_pairs(pattern, batch):
    def load(path):
        rgb = tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), [128, 128]) / 255.0
        return tf.image.rgb_to_grayscale(rgb), rgb

    files = tf.io.gfile.glob(pattern)
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files)).repeat()
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def colouriser():
    model = tf.keras.Sequential([tf.keras.layers.Input((128, 128, 1))])
    for f in (32, 64, 64, 32):
        model.add(tf.keras.layers.Conv2D(f, 3, padding="same", activation="relu"))
    model.add(tf.keras.layers.Conv2D(3, 1, activation="sigmoid"))
    return model


def fit(model, ds, logdir, steps=20_000, window=(100, 108)):
    optimizer = tf.keras.optimizers.Adam(1e-3)
    mean_loss = tf.keras.metrics.Mean()

    @tf.function
    def update(iterator):
        grey, rgb = next(iterator)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(model(grey, training=True) - rgb))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        mean_loss.update_state(loss)

    iterator = iter(ds)
    step = 0
    while step < steps:
        if step == window[0]:
            with tf.profiler.experimental.Profile(logdir):
                while step < window[1]:
                    with step_marker(step):
                        update(iterator)
                    step += 1
            continue
        update(iterator)
        step += 1
        if step % 1000 == 0:
            print(step, float(mean_loss.result()))
            mean_loss.reset_state()


if __name__ == "__main__":
    fit(colouriser(), colour_pairs("/data/places/train/*/*.jpg", 64), "/logs/colour")
