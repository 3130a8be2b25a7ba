import tensorflow as tf


class ImageSource:
    def __init__(self, pattern, size=224):
        self.pattern = pattern
        self.size = size

    def read(self, path):
        return tf.io.read_file(path), tf.strings.split(path, "/")[-2] == "cat"

    def decode(self, data, label):
        image = tf.io.decode_jpeg(data, channels=3)
        image = tf.image.resize(image, (self.size, self.size))
        return image / 255.0, tf.cast(label, tf.int32)

    def train(self, batch_size):
        ds = tf.data.Dataset.list_files(self.pattern, seed=3)
        ds = ds.map(self.read, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache("/scratch/cats.cache")
        ds = ds.shuffle(4000)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    source = ImageSource("/data/pets/*/*.jpg")
    model = tf.keras.Sequential([
        tf.keras.applications.MobileNetV2(include_top=False, pooling="avg", weights=None),
        tf.keras.layers.Dense(2),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(source.train(64), epochs=20)


if __name__ == "__main__":
    main()
