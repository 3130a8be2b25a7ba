from functools import partial

import numpy as np
import tensorflow as tf
from tensorflow.data import Dataset

FRAME = (112, 112, 3)


def frames(folder, n_frames):
    import cv2
    for video in tf.io.gfile.glob(f"{folder}/*/*.avi"):
        cap = cv2.VideoCapture(video)
        buf = []
        while len(buf) < n_frames:
            ok, frame = cap.read()
            if not ok:
                break
            buf.append(cv2.resize(frame, FRAME[:2])[..., ::-1])
        cap.release()
        if len(buf) == n_frames:
            yield np.stack(buf).astype(np.float32) / 255.0, int(video.split("/")[-2])


make = Dataset.from_generator
sig = (tf.TensorSpec((16, *FRAME), tf.float32), tf.TensorSpec((), tf.int32))
train_ds = make(partial(frames, "/data/ucf101/train", 16), output_signature=sig)
train_ds = train_ds.shuffle(64).batch(8).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv3D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling3D(),
    tf.keras.layers.Conv3D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling3D(),
    tf.keras.layers.Dense(101, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train_ds, epochs=20)
