import tensorflow as tf
import tensorflow_datasets as tfds

SIDE = 160
CLASSES = 37


def prepare(sample):
    image = tf.image.resize(tf.cast(sample["image"], tf.float32), (SIDE, SIDE))
    mask = tf.image.resize(sample["segmentation_mask"], (SIDE, SIDE), method="nearest")
    return image / 127.5 - 1.0, tf.cast(mask, tf.int32) - 1


def mirror(image, mask):
    both = tf.concat([image, tf.cast(mask, tf.float32)], axis=-1)
    both = tf.image.random_flip_left_right(both)
    return both[..., :3], tf.cast(both[..., 3:], tf.int32)


class PetSegmentation:
    def __init__(self, batch_size=32):
        self.batch_size = batch_size
        self.sets = {}

    def setup(self):
        train, val, test = tfds.load(
            "oxford_iiit_pet", split=["train", "test[:30%]", "test[30%:]"], shuffle_files=True,
            decoders={"image": tfds.decode.SkipDecoding(),
                      "segmentation_mask": tfds.decode.SkipDecoding()})
        self.sets = {
            "train": train.shuffle(3680),
            "val": val,
            "test": test,
        }
        for name, ds in self.sets.items():
            ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
            self.sets[name] = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
        self.sets["train"] = self.sets["train"].map(
            mirror, num_parallel_calls=tf.data.AUTOTUNE)
        return self

    @staticmethod
    def decode(sample):
        return {
            "image": tf.io.decode_jpeg(sample["image"], channels=3),
            "segmentation_mask": tf.io.decode_png(sample["segmentation_mask"], channels=1),
        }

    def __getitem__(self, name):
        return self.sets[name].batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def unet():
    inp = tf.keras.Input((SIDE, SIDE, 3))
    skips, x = [], inp
    for w in (32, 64, 128):
        x = tf.keras.layers.Conv2D(w, 3, padding="same", activation="relu")(x)
        skips.append(x)
        x = tf.keras.layers.MaxPooling2D()(x)
    for w, skip in zip((128, 64, 32), reversed(skips)):
        x = tf.keras.layers.Conv2DTranspose(w, 2, 2)(x)
        x = tf.keras.layers.Concatenate()([x, skip])
        x = tf.keras.layers.Conv2D(w, 3, padding="same", activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(3, 1, activation="softmax")(x))


if __name__ == "__main__":
    pets = PetSegmentation().setup()
    model = unet()
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(pets["train"], validation_data=pets["val"], epochs=20)
    print(model.evaluate(pets["test"]))
