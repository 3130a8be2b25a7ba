import tensorflow as tf


class Pipeline:
    def __init__(self, pattern, image_size=(224, 224), batch_size=128):
        self.pattern = pattern
        self.image_size = image_size
        self.batch_size = batch_size

    def decode(self, path):
        label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
        return tf.io.decode_jpeg(tf.io.read_file(path), channels=3), label

    def resize_fast(self, image, label):
        method = tf.image.ResizeMethod.NEAREST_NEIGHBOR
        return tf.image.resize(image, self.image_size, method=method), label

    def resize_smooth(self, image, label):
        return tf.image.resize(image, self.image_size, antialias=True), label

    def normalize(self, image, label):
        return tf.image.convert_image_dtype(image, tf.float32), label

    def build(self, training):
        ds = tf.data.Dataset.list_files(self.pattern, shuffle=training)
        if training:
            stages = (self.decode, self.resize_fast, self.normalize)
        else:
            stages = (self.decode, self.normalize, self.resize_smooth)
        for stage in stages:
            ds = ds.map(stage, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    train = Pipeline("/data/dogs/train/*/*.jpg").build(True)
    val = Pipeline("/data/dogs/val/*/*.jpg").build(False)
    resnet = tf.keras.applications.ResNet50(weights=None, classes=120)
    resnet.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    resnet.fit(train, validation_data=val, epochs=40)
