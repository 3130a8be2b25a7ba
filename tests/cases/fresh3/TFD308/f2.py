import tensorflow as tf


class Clips:
    frames = 16

    def __init__(self, pattern):
        self.paths = sorted(tf.io.gfile.glob(pattern))

    def read(self, path):
        gif = tf.io.decode_gif(tf.io.read_file(path))
        idx = tf.cast(tf.linspace(0.0, tf.cast(tf.shape(gif)[0] - 1, tf.float32), self.frames), tf.int32)
        clip = tf.image.resize(tf.gather(gif, idx), (112, 112)) / 255.0
        label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
        return tf.ensure_shape(clip, (self.frames, 112, 112, 3)), label

    def order(self, ds):
        return ds

    def dataset(self, batch):
        ds = tf.data.Dataset.from_tensor_slices(self.paths)
        ds = ds.map(self.read, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.apply(self.order).batch(batch).prefetch(tf.data.AUTOTUNE)


class TrainingClips(Clips):
    def order(self, ds):
        return ds.shuffle(3000, seed=6)


model = tf.keras.Sequential([
    tf.keras.layers.Conv3D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling3D(),
    tf.keras.layers.Dense(51, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(TrainingClips("hmdb/*/*.gif").dataset(8), validation_data=Clips("hmdb_val/*/*.gif").dataset(8), epochs=2)
