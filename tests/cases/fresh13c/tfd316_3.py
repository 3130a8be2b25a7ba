"""Sentiment training with on-disk token cache per split."""
import os
from dataclasses import dataclass, replace

import tensorflow as tf


@dataclass(frozen=True)
class SplitConfig:
    split: str
    files: str
    cache_dir: str = "/scratch/reviews"
    on_disk: bool = True
    batch: int = 128
    shuffle: int = 20000

    @property
    def cache_path(self):
        return os.path.join(self.cache_dir, self.split + ".tokens") if self.on_disk else ""


def tokens(cfg, vectorizer):
    def parse(line):
        label, text = tf.io.decode_csv(line, [0, ""], field_delim="\t")
        return vectorizer(text), label

    ds = tf.data.Dataset.list_files(cfg.files, shuffle=False)
    ds = ds.interleave(tf.data.TextLineDataset, cycle_length=4, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache(cfg.cache_path)
    if cfg.split == "train":
        ds = ds.shuffle(cfg.shuffle)
    return ds.batch(cfg.batch).prefetch(tf.data.AUTOTUNE)


def main():
    vectorizer = tf.keras.layers.TextVectorization(
        max_tokens=30000, output_sequence_length=200, vocabulary="/data/reviews/vocab.txt")
    train_cfg = SplitConfig("train", "/data/reviews/train-*.tsv")
    valid_cfg = replace(train_cfg, split="valid", files="/data/reviews/valid-*.tsv")
    test_cfg = replace(train_cfg, split="test", files="/data/reviews/test-*.tsv", on_disk=False)
    train, valid, test = (tokens(c, vectorizer) for c in (train_cfg, valid_cfg, test_cfg))
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(30000, 128),
        tf.keras.layers.Bidirectional(tf.keras.layers.GRU(64)),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=valid, epochs=8)
    print(model.evaluate(test, return_dict=True))


if __name__ == "__main__":
    main()
