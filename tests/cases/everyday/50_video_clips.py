"""Action recognition from folders of extracted frames."""
import collections
import os
import pathlib
from typing import List, Tuple

import tensorflow as tf

ROOT = pathlib.Path("data/ucf_frames")
FRAMES = 16
SIDE = 112


def list_clips(split: str) -> Tuple[List[List[str]], List[int]]:
    classes = sorted(os.listdir(ROOT / split))
    clips: List[List[str]] = []
    labels: List[int] = []
    for index, name in enumerate(classes):
        by_video = collections.defaultdict(list)
        for frame in sorted((ROOT / split / name).glob("*/*.jpg")):
            by_video[frame.parent].append(str(frame))
        for frames in by_video.values():
            stride = max(1, len(frames) // FRAMES)
            chosen = frames[::stride][:FRAMES]
            if len(chosen) == FRAMES:
                clips.append(chosen)
                labels.append(index)
    return clips, labels


def read_frame(path: tf.Tensor) -> tf.Tensor:
    frame = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(frame, [SIDE, SIDE]) / 127.5 - 1.0


def read_clip(paths: tf.Tensor, label: tf.Tensor) -> Tuple[tf.Tensor, tf.Tensor]:
    clip = tf.map_fn(read_frame, paths, fn_output_signature=tf.float32)
    return tf.ensure_shape(clip, [FRAMES, SIDE, SIDE, 3]), label


def make_dataset(split: str, batch_size: int = 8) -> tf.data.Dataset:
    clips, labels = list_clips(split)
    dataset = tf.data.Dataset.from_tensor_slices((clips, labels))
    if split == "train":
        dataset = dataset.shuffle(len(clips), reshuffle_each_iteration=True)
    dataset = dataset.map(read_clip)
    return dataset.batch(batch_size)


def build_model(num_classes: int) -> tf.keras.Model:
    model = tf.keras.Sequential(name="c3d")
    model.add(tf.keras.layers.InputLayer((FRAMES, SIDE, SIDE, 3)))
    for filters in (32, 64, 128, 128):
        model.add(tf.keras.layers.Conv3D(filters, 3, padding="same", activation="relu"))
        model.add(tf.keras.layers.MaxPool3D(2))
    model.add(tf.keras.layers.GlobalAveragePooling3D())
    model.add(tf.keras.layers.Dense(num_classes))
    return model


def main() -> None:
    model = build_model(len(os.listdir(ROOT / "train")))
    model.compile(
        optimizer="adam",
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy", tf.keras.metrics.SparseTopKCategoricalAccuracy(5)],
    )
    model.fit(make_dataset("train"), validation_data=make_dataset("val"), epochs=30)
    model.evaluate(make_dataset("held_out"))


if __name__ == "__main__":
    main()
