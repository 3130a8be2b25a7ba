import tensorflow as tf


class Film:
    size = (360, 640)

    def __init__(self, folder):
        self.names = sorted(tf.io.gfile.glob(f"{folder}/frame_*.png"))

    def frame(self, name):
        image = tf.io.decode_png(tf.io.read_file(name), channels=3)
        return tf.image.resize(image, self.size) / 255.0

    def frames(self):
        ds = tf.data.Dataset.from_tensor_slices(self.names)
        return ds.map(self.frame, num_parallel_calls=tf.data.AUTOTUNE)

    def batches(self, size):
        return self.frames().batch(size).prefetch(tf.data.AUTOTUNE)


class Scene(Film):
    def __init__(self, folder, first, last):
        super().__init__(folder)
        self.first, self.last = first, last

    def frames(self):
        return super().frames().skip(self.first).take(self.last - self.first)


upscaler = tf.keras.models.load_model("upscaler.keras")
for i, batch in enumerate(Scene("movie", 12000, 12480).batches(8)):
    large = upscaler(batch, training=False)
    for j, image in enumerate(large):
        tf.io.write_file(f"out/{8 * i + j:05d}.png", tf.io.encode_png(tf.cast(image * 255.0, tf.uint8)))
