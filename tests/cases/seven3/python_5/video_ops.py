import decord
import numpy as np
import tensorflow as tf

NUM_FRAMES = 16
SIDE = 128


@tf.py_function(Tout=tf.uint8)
def sample_frames(path):
    reader = decord.VideoReader(path.numpy().decode("utf-8"), width=SIDE, height=SIDE)
    picks = np.linspace(0, len(reader) - 1, NUM_FRAMES).astype(int)
    return reader.get_batch(picks).asnumpy()


def load_clip(path, label):
    clip = sample_frames(path)
    clip.set_shape((NUM_FRAMES, SIDE, SIDE, 3))
    return clip, label
