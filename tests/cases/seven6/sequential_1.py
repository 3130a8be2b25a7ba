import json
import pathlib

import tensorflow as tf


class FashionTagger:
    """Multi-label tagger for catalogue photos."""

    def __init__(self, config_path):
        self.cfg = json.loads(pathlib.Path(config_path).read_text())
        self.labels = self.cfg["labels"]
        self.size = self.cfg["image_size"]

    def _example(self, path, tags):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        img = tf.image.resize(img, [self.size + 24, self.size + 24])
        img = tf.image.random_crop(img, [self.size, self.size, 3])
        img = tf.image.random_flip_left_right(img)
        img = tf.image.random_saturation(img, 0.8, 1.2)
        return img / 255.0, tags

    def dataset(self, manifest):
        rows = [json.loads(r) for r in pathlib.Path(manifest).read_text().splitlines()]
        paths = [r["path"] for r in rows]
        tags = [[float(t in r["tags"]) for t in self.labels] for r in rows]
        ds = tf.data.Dataset.from_tensor_slices((paths, tags))
        ds = ds.shuffle(len(paths))
        ds = ds.map(self._example)
        ds = ds.batch(self.cfg["batch_size"])
        return ds.prefetch(tf.data.AUTOTUNE)

    def model(self):
        base = tf.keras.applications.EfficientNetV2S(
            include_top=False, weights=None, pooling="avg",
            input_shape=(self.size, self.size, 3), include_preprocessing=False)
        out = tf.keras.layers.Dense(len(self.labels), activation="sigmoid")(base.output)
        return tf.keras.Model(base.input, out)

    def train(self):
        model = self.model()
        model.compile(tf.keras.optimizers.AdamW(1e-3), "binary_crossentropy",
                      metrics=[tf.keras.metrics.AUC(multi_label=True)])
        model.fit(self.dataset(self.cfg["train_manifest"]), epochs=self.cfg["epochs"])
        model.save(self.cfg["output"])


if __name__ == "__main__":
    FashionTagger("configs/tagger.json").train()
