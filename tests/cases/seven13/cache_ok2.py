"""Embeds a photo archive once with a trained encoder (single pass, nothing to cache)."""
import dataclasses
import pathlib

import numpy as np
import tensorflow as tf


@dataclasses.dataclass
class EmbedJob:
    archive: pathlib.Path
    out: pathlib.Path
    encoder: str = "/models/photo_encoder.keras"
    batch: int = 256
    rows_per_file: int = 100_000


class ArchiveEmbedder:
    def __init__(self, job):
        self.job = job
        self.encoder = tf.keras.models.load_model(job.encoder)
        self.encoder.trainable = False

    @staticmethod
    def _load(path):
        img = tf.io.decode_image(tf.io.read_file(path), channels=3, expand_animations=False)
        return path, tf.image.resize_with_pad(img, 336, 336, antialias=True)

    def _stream(self):
        pattern = str(self.job.archive / "*" / "*.jpg")
        return (tf.data.Dataset.list_files(pattern, shuffle=False)
                .map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
                .ignore_errors()
                .batch(self.job.batch)
                .prefetch(tf.data.AUTOTUNE))

    def run(self):
        embed = tf.function(lambda x: self.encoder(x, training=False))
        names, rows, part = [], [], 0
        for paths, images in self._stream():
            names.extend(p.decode() for p in paths.numpy())
            rows.append(embed(images).numpy())
            if len(names) >= self.job.rows_per_file:
                self._flush(part, names, rows)
                names, rows, part = [], [], part + 1
        if names:
            self._flush(part, names, rows)

    def _flush(self, part, names, rows):
        np.savez(self.job.out / f"emb_{part:05d}.npz", names=np.array(names), emb=np.concatenate(rows))


if __name__ == "__main__":
    ArchiveEmbedder(EmbedJob(pathlib.Path("/archive/photos"), pathlib.Path("/archive/embeddings"))).run()
