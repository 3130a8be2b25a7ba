import json
import os

import tensorflow as tf


class CaptionData:
    def __init__(self, image_dir, caption_file, size=299):
        self.image_dir = image_dir
        self.size = size
        with open(caption_file) as f:
            self.captions = {int(k): v for k, v in json.load(f).items()}

    def _key(self, path):
        name = os.path.basename(path.numpy().decode("utf-8"))
        return int(os.path.splitext(name)[0])

    def load(self, path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, [self.size, self.size])
        return image / 127.5 - 1.0, self.captions[self._key(path)]

    def dataset(self, batch_size):
        ds = tf.data.Dataset.list_files(f"{self.image_dir}/*.jpg", shuffle=True)
        ds = ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


class Embedder(tf.keras.Model):
    def __init__(self, vocabulary):
        super().__init__()
        self.image = tf.keras.applications.InceptionV3(include_top=False, pooling="avg")
        self.project = tf.keras.layers.Dense(256)
        self.vectorize = tf.keras.layers.TextVectorization(
            vocabulary=vocabulary, output_sequence_length=32)
        self.embed = tf.keras.layers.Embedding(10_000, 256)

    def call(self, inputs):
        image, text = inputs
        words = tf.reduce_mean(self.embed(self.vectorize(text)), axis=1)
        return tf.matmul(self.project(self.image(image)), words, transpose_b=True)


def main():
    data = CaptionData("/data/coco/train2017", "/data/coco/captions.json")
    model = Embedder("/data/coco/vocab.txt")
    optimizer = tf.keras.optimizers.Adam(1e-4)
    for images, texts in data.dataset(64):
        with tf.GradientTape() as tape:
            logits = model((images, texts), training=True)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=tf.range(64), logits=logits))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))


if __name__ == "__main__":
    main()
