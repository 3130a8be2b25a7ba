import dataclasses
from typing import Tuple

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class DataConfig:
    pattern: str = "/lake/xray/train/*.tfrecord"
    shape: Tuple[int, int] = (320, 320)
    batch: int = 24
    shuffle: int = 3000


def _decode(cfg):
    def fn(raw):
        ex = tf.io.parse_single_example(raw, {
            "scan": tf.io.FixedLenFeature([], tf.string),
            "findings": tf.io.FixedLenFeature([14], tf.float32)})
        scan = tf.io.decode_png(ex["scan"], channels=1, dtype=tf.uint16)
        scan = tf.image.resize(tf.cast(scan, tf.float32) / 65535.0, cfg.shape)
        return tf.image.random_brightness(scan, 0.05), ex["findings"]
    return fn


def make_dataset(cfg: DataConfig) -> tf.data.Dataset:
    ds = tf.data.Dataset.list_files(cfg.pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(cfg.shuffle)
    ds = ds.map(_decode(cfg), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(cfg.batch, drop_remainder=True)
    return ds.apply(tf.data.experimental.prefetch_to_device("/gpu:0", buffer_size=2))


def main():
    cfg = DataConfig()
    model = tf.keras.applications.DenseNet121(
        weights=None, input_shape=cfg.shape + (1,), classes=14, classifier_activation=None)
    optimizer = tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def step(scans, findings):
        with tf.GradientTape() as tape:
            logits = model(scans, training=True)
            loss = tf.reduce_mean(
                tf.nn.sigmoid_cross_entropy_with_logits(labels=findings, logits=logits))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    dataset = make_dataset(cfg)
    for epoch in range(25):
        mean = tf.keras.metrics.Mean()
        for scans, findings in dataset:
            mean.update_state(step(scans, findings))
        print(f"epoch {epoch}: {mean.result():.4f}")
        model.save_weights(f"xray-{epoch:02d}")


if __name__ == "__main__":
    main()
