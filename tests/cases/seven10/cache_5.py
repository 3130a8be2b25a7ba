"""Histology patches: one dataset per split, from a dataclass."""
import dataclasses
import glob

import tensorflow as tf


@dataclasses.dataclass
class PatchConfig:
    root: str = "/data/histology"
    size: int = 96
    batch_size: int = 128
    use_cache: bool = True
    epochs: int = 40


def build(config: PatchConfig):
    def load(path):
        patch = tf.io.decode_png(tf.io.read_file(path), channels=3)
        patch = tf.image.resize(patch, (config.size, config.size), antialias=True)
        label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
        return tf.image.rgb_to_hsv(patch / 255.0), label

    for split in ("train", "val", "test"):
        files = sorted(glob.glob(f"{config.root}/{split}/*/*.png"))
        ds = tf.data.Dataset.from_tensor_slices(files)
        if config.use_cache:
            ds = ds.cache()
        if split == "train":
            ds = ds.shuffle(len(files))
        ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(config.batch_size, drop_remainder=split == "train")
        yield split, ds.prefetch(tf.data.AUTOTUNE)


@tf.function
def step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def main(config=PatchConfig()):
    splits = dict(build(config))
    model = tf.keras.Sequential([
        tf.keras.Input((config.size, config.size, 3)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, 2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(9),
    ])
    optimizer = tf.keras.optimizers.Adam()
    for _ in range(config.epochs):
        for x, y in splits["train"]:
            step(model, optimizer, x, y)


if __name__ == "__main__":
    main()
