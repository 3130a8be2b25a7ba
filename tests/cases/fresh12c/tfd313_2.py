"""Road segmentation: fixed-size crops of camera frames."""
import tensorflow as tf

AUTO = tf.data.AUTOTUNE


class RoadReader:
    crop = (512, 1024)
    canvas = (1088, 1984)

    def __init__(self, image_glob, batch_size):
        self.images = sorted(tf.io.gfile.glob(image_glob))
        self.masks = [p.replace("/frames/", "/masks/").replace(".jpg", ".png") for p in self.images]
        self.batch_size = batch_size

    @staticmethod
    def _normalize(frame):
        return tf.cast(frame, tf.float32) / 127.5 - 1.0

    def _read(self, image_path, mask_path):
        frame = self._normalize(tf.io.decode_jpeg(tf.io.read_file(image_path), channels=3))
        mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
        return frame, mask

    def _window(self, frame, mask):
        ch, cw = self.crop
        frame = tf.image.pad_to_bounding_box(frame, 4, 32, *self.canvas)
        mask = tf.image.pad_to_bounding_box(mask, 4, 32, *self.canvas)
        y = tf.random.uniform([], 0, self.canvas[0] - ch, tf.int32)
        x = tf.random.uniform([], 0, self.canvas[1] - cw, tf.int32)
        frame = tf.image.crop_to_bounding_box(frame, y, x, ch, cw)
        return frame, tf.image.crop_to_bounding_box(mask, y, x, ch, cw)

    def dataset(self):
        ds = tf.data.Dataset.from_tensor_slices((self.images, self.masks))
        ds = ds.shuffle(len(self.images)).map(self._read, num_parallel_calls=AUTO)
        ds = ds.map(self._window, num_parallel_calls=AUTO)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(AUTO)


def unet_stub(n_classes=20):
    inp = tf.keras.Input((512, 1024, 3))
    d1 = tf.keras.layers.Conv2D(32, 3, 2, "same", activation="relu")(inp)
    d2 = tf.keras.layers.Conv2D(64, 3, 2, "same", activation="relu")(d1)
    u1 = tf.keras.layers.Conv2DTranspose(32, 3, 2, "same", activation="relu")(d2)
    u2 = tf.keras.layers.Conv2DTranspose(n_classes, 3, 2, "same")(u1 + d1)
    return tf.keras.Model(inp, u2)


if __name__ == "__main__":
    net = unet_stub()
    net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    net.fit(RoadReader("/data/roads/frames/*.jpg", 8).dataset(), epochs=60)
