import tensorflow as tf


class Lesions:
    def __init__(self, root, size=192):
        self.root = root
        self.size = (size, size)

    def read(self, name):
        photo = tf.io.decode_jpeg(tf.io.read_file(self.root + "/photo/" + name + ".jpg"), channels=3)
        mask = tf.io.decode_image(tf.io.read_file(self.root + "/mask/" + name + ".png"), channels=1)
        return {"photo": photo, "mask": mask}

    def resize(self, sample):
        photo = tf.image.resize(sample["photo"], self.size) / 255.0
        mask = tf.image.resize(sample["mask"], self.size, method="nearest")
        return photo, mask // 255

    def dataset(self):
        names = tf.data.TextLineDataset(self.root + "/train.txt").shuffle(3000)
        ds = names.map(self.read, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.resize, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(8).prefetch(tf.data.AUTOTUNE)


model = tf.keras.models.load_model("unet_small.keras")
model.fit(Lesions("isic").dataset(), epochs=30)
