"""Open Images classifier with albumentations (hydra config)."""
import functools

import albumentations as A
import hydra
import tensorflow as tf
from omegaconf import DictConfig

AUTO = tf.data.AUTOTUNE


def policy(size, strength):
    return A.Compose([
        A.RandomResizedCrop(size=(size, size), scale=(0.4, 1.0)),
        A.HorizontalFlip(p=0.5),
        A.ShiftScaleRotate(p=0.3 * strength),
        A.OneOf([A.GaussianBlur(), A.MotionBlur(), A.ISONoise()], p=0.3 * strength),
        A.CoarseDropout(p=0.2 * strength),
    ])


on_host_u8 = functools.partial(tf.numpy_function, Tout=tf.uint8)


class OpenImages:
    def __init__(self, cfg: DictConfig):
        self.cfg = cfg
        tf_policy = policy(cfg.size, cfg.strength)
        self._run = lambda img: tf_policy(image=img)["image"]

    def parse(self, rec):
        ex = tf.io.parse_single_example(rec, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64)})
        return tf.io.decode_jpeg(ex["image"], channels=3), ex["label"]

    def augment(self, img, label):
        img = on_host_u8(self._run, [img])
        img.set_shape([self.cfg.size, self.cfg.size, 3])
        return img, label

    def train(self):
        files = tf.data.Dataset.list_files(self.cfg.train)
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=AUTO)
        ds = ds.shuffle(self.cfg.shuffle).map(self.parse, num_parallel_calls=AUTO)
        ds = ds.map(self.augment, num_parallel_calls=AUTO)
        return ds.batch(self.cfg.batch, drop_remainder=True).prefetch(AUTO)


def classifier(classes, size):
    base = tf.keras.applications.EfficientNetV2S(
        include_top=False, pooling="avg", input_shape=(size, size, 3), weights=None)
    return tf.keras.Model(base.input, tf.keras.layers.Dense(classes)(base.output))


@hydra.main(version_base=None, config_path="conf", config_name="openimages")
def main(cfg: DictConfig):
    data = OpenImages(cfg.data).train()
    model = classifier(cfg.model.classes, cfg.data.size)
    model.compile(
        optimizer=tf.keras.optimizers.AdamW(cfg.optim.lr, weight_decay=cfg.optim.wd),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"])
    model.fit(data, epochs=cfg.optim.epochs,
              callbacks=[tf.keras.callbacks.ModelCheckpoint("best.keras", monitor="loss")])


if __name__ == "__main__":
    main()
