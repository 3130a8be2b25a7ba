import tensorflow as tf

SIZE = (200, 200)


class AerialTiles:
    def __init__(self, folder):
        self.photos = sorted(tf.io.gfile.glob(f"{folder}/rgb/*.png"))
        self.masks = sorted(tf.io.gfile.glob(f"{folder}/class/*.png"))

    def load(self, photo_path, mask_path):
        photo = tf.io.decode_png(tf.io.read_file(photo_path), channels=3)
        mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
        stacked = tf.concat([photo, mask], axis=-1)
        if tf.random.uniform([]) < 0.5:
            stacked = tf.image.flip_left_right(stacked)
        stacked = tf.image.resize(stacked, SIZE)
        return stacked[..., :3] / 255.0, tf.cast(stacked[..., 3], tf.int32)

    def dataset(self, batch_size=16):
        ds = tf.data.Dataset.from_tensor_slices((self.photos, self.masks))
        ds = ds.shuffle(len(self.photos))
        ds = ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((*SIZE, 3)),
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(7, 1),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(AerialTiles("tiles").dataset(), epochs=25)
