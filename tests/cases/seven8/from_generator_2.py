"""RSNA pneumonia / chest X-ray classifier reading DICOM with pydicom."""
import argparse

import numpy as np
import pandas as pd
import pydicom
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class DicomDataset:
    def __init__(self, csv, image_dir, size=512, batch_size=16):
        self.df = pd.read_csv(csv).drop_duplicates("patientId")
        self.paths = [f"{image_dir}/{p}.dcm" for p in self.df["patientId"]]
        self.labels = self.df["Target"].astype("float32").values
        self.size = size
        self.batch_size = batch_size

    def _read_dicom(self, path):
        ds = pydicom.dcmread(path.numpy().decode("utf-8"))
        img = ds.pixel_array.astype(np.float32)
        if ds.PhotometricInterpretation == "MONOCHROME1":
            img = img.max() - img
        return (img - img.min()) / (img.max() - img.min() + 1e-6)

    def _load(self, path, label):
        img = tf.py_function(self._read_dicom, [path], tf.float32)
        img.set_shape([None, None])
        img = tf.image.resize(img[..., tf.newaxis], [self.size, self.size])
        return tf.repeat(img, 3, axis=-1), label

    def make(self, training=True):
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        if training:
            ds = ds.shuffle(len(self.paths))
        ds = ds.map(self._load, num_parallel_calls=AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(AUTOTUNE)


def build(size):
    base = tf.keras.applications.DenseNet121(
        include_top=False, input_shape=(size, size, 3), pooling="avg")
    out = tf.keras.layers.Dense(1, activation="sigmoid")(base.output)
    model = tf.keras.Model(base.input, out)
    model.compile(optimizer=tf.keras.optimizers.Adam(1e-4),
                  loss="binary_crossentropy",
                  metrics=[tf.keras.metrics.AUC(name="auc")])
    return model


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--csv", default="/data/rsna/stage_2_train_labels.csv")
    p.add_argument("--images", default="/data/rsna/stage_2_train_images")
    p.add_argument("--epochs", type=int, default=30)
    p.add_argument("--size", type=int, default=512)
    args = p.parse_args()
    data = DicomDataset(args.csv, args.images, args.size)
    model = build(args.size)
    model.fit(data.make(), epochs=args.epochs,
              callbacks=[tf.keras.callbacks.CSVLogger("log.csv"),
                         tf.keras.callbacks.ModelCheckpoint("cxr.keras", monitor="auc",
                                                            mode="max", save_best_only=True)])


if __name__ == "__main__":
    main()
