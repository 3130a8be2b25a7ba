import tensorflow as tf


class Pipeline:
    def __init__(self, pattern, image_size=(224, 224), batch_size=128):
        self.pattern = pattern
        self.image_size = image_size
        self.batch_size = batch_size

    def decode(self, path):
        label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
        return tf.io.decode_jpeg(tf.io.read_file(path), channels=3), label

    def resize(self, image, label):
        return tf.image.resize(image, self.image_size, antialias=True), label

    def normalize(self, image, label):
        return tf.image.convert_image_dtype(image, tf.float32), label

    def build(self):
        ds = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        for stage in (self.decode, self.resize, self.normalize):
            ds = ds.map(stage, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Trainer:
    def __init__(self, model, pipeline):
        self.model = model
        self.pipeline = pipeline

    def run(self, epochs):
        self.model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        return self.model.fit(self.pipeline.build(), epochs=epochs)


if __name__ == "__main__":
    resnet = tf.keras.applications.ResNet50(weights=None, classes=120)
    Trainer(resnet, Pipeline("/data/dogs/train/*/*.jpg")).run(40)
