"""Export BERT features of radiology reports."""
import csv

import numpy as np
import tensorflow as tf
from transformers import AutoTokenizer, TFAutoModel

NAME = "emilyalsentzer/Bio_ClinicalBERT"


class ReportLoader:
    def __init__(self, path, max_len=256):
        self.tokenizer = AutoTokenizer.from_pretrained(NAME)
        self.max_len = max_len
        with open(path, newline="") as f:
            rows = list(csv.DictReader(f))
        self.ids = [row["study_id"] for row in rows]
        self.texts = [row["report"] for row in rows]

    def __call__(self, batch_size=1):
        enc = self.tokenizer(self.texts, truncation=True, padding="max_length",
                             max_length=self.max_len, return_tensors="np")
        ds = tf.data.Dataset.from_tensor_slices((self.ids, dict(enc)))
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def extract(model, dataset):
    features = {}
    for study, inputs in dataset:
        hidden = model(inputs, training=False).last_hidden_state
        features[study[0].numpy().decode()] = hidden[0, 0].numpy()
    return features


def main():
    loader = ReportLoader("/data/mimic/reports.csv")
    model = TFAutoModel.from_pretrained(NAME, from_pt=True)
    features = extract(model, loader())
    np.savez_compressed("features.npz", **features)
    print("wrote", len(features), "reports")


if __name__ == "__main__":
    main()
