import glob

import tensorflow as tf

SCALES = (64, 128, 256)


def pyramid(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.convert_image_dtype(image, tf.float32)
    levels = []
    for size in SCALES:
        levels.append(tf.image.resize(image, (size, size), antialias=True))
    return tuple(levels)


def dataset(pattern, batch_size):
    paths = glob.glob(pattern)
    print(f"{len(paths)} photographs")
    ds = tf.data.Dataset.from_tensor_slices(paths)
    ds = ds.shuffle(len(paths)).repeat()
    ds = ds.map(pyramid, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Upscaler(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [self._block() for _ in SCALES[1:]]

    @staticmethod
    def _block():
        return tf.keras.Sequential(
            [
                tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
                tf.keras.layers.UpSampling2D(2, interpolation="bilinear"),
                tf.keras.layers.Conv2D(3, 3, padding="same"),
            ]
        )

    def call(self, x):
        outputs = []
        for block in self.blocks:
            x = block(x)
            outputs.append(x)
        return outputs


def main():
    model = Upscaler()
    optimizer = tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def step(levels):
        with tf.GradientTape() as tape:
            outs = model(levels[0])
            loss = tf.add_n([tf.reduce_mean(tf.abs(o - t)) for o, t in zip(outs, levels[1:])])
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for n, levels in enumerate(dataset("/data/photos/*.jpg", 8).take(50_000)):
        loss = step(levels)
        if n % 1000 == 0:
            print(n, float(loss))


if __name__ == "__main__":
    main()
