"""Next-frame prediction on moving digit clips stored as one big npy file."""
import numpy as np
import tensorflow as tf


class ClipSource:
    def __init__(self, path):
        self.clips = np.load(path, mmap_mode="r")
        if self.clips.dtype != np.uint8:
            raise ValueError(f"expected uint8 clips, got {self.clips.dtype}")

    def __len__(self):
        return self.clips.shape[0]

    def __call__(self):
        for i in range(len(self)):
            yield self.clips[i].astype(np.float32)


def frames_to_unit(clip):
    return tf.image.convert_image_dtype(clip, dtype=tf.float32)


def make_pairs(clip):
    clip = frames_to_unit(clip)[..., tf.newaxis]
    return clip[:, :-1], clip[:, 1:]


def stream(path, batch):
    source = ClipSource(path)
    ds = tf.data.Dataset.from_generator(
        source, output_signature=tf.TensorSpec((20, 64, 64), tf.float32))
    ds = ds.shuffle(1000).batch(batch, drop_remainder=True)
    ds = ds.map(make_pairs, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.apply(tf.data.experimental.assert_cardinality(len(source) // batch)).prefetch(tf.data.AUTOTUNE)


def convlstm():
    return tf.keras.Sequential([
        tf.keras.Input((19, 64, 64, 1)),
        tf.keras.layers.ConvLSTM2D(48, 5, padding="same", return_sequences=True),
        tf.keras.layers.ConvLSTM2D(48, 3, padding="same", return_sequences=True),
        tf.keras.layers.Conv3D(1, 3, padding="same", activation="sigmoid"),
    ])


model = convlstm()
model.compile("adam", "binary_crossentropy")
model.fit(stream("/data/moving_digits/train.npy", 16), epochs=20)
model.save("next_frame.keras")
