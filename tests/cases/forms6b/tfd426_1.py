import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class DenoisingTrainer:
    def __init__(self, noisy_pattern, clean_pattern, size=256, batch_size=16):
        self.noisy = sorted(tf.io.gfile.glob(noisy_pattern))
        self.clean = sorted(tf.io.gfile.glob(clean_pattern))
        self.size = size
        self.batch_size = batch_size

    def _read(self, path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, [self.size, self.size])

    def _load(self, noisy_path, clean_path):
        return self._read(noisy_path), self._read(clean_path)

    def _normalize(self, image):
        return image / 127.5 - 1.0

    def _dataset(self):
        pairs = tf.data.Dataset.from_tensor_slices((self.noisy, self.clean))
        pairs = pairs.shuffle(len(self.noisy))
        pairs = pairs.map(self._load, num_parallel_calls=AUTOTUNE)
        pairs = pairs.batch(self.batch_size)
        pairs = pairs.map(self._normalize, num_parallel_calls=AUTOTUNE)
        return pairs.prefetch(AUTOTUNE)

    def _model(self):
        return tf.keras.Sequential([
            tf.keras.Input((self.size, self.size, 3)),
            tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
            tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
            tf.keras.layers.Conv2D(3, 3, padding="same", activation="tanh"),
        ])

    def run(self, epochs=100):
        model = self._model()
        model.compile(tf.keras.optimizers.Adam(1e-4), "mae")
        model.fit(self._dataset(), epochs=epochs)
        return model


def main():
    trainer = DenoisingTrainer("/data/sidd/noisy/*.png", "/data/sidd/clean/*.png")
    trainer.run().save("denoise.keras")


if __name__ == "__main__":
    main()
