import numpy as np
import tensorflow as tf


class TilePredictor:
    """Whole-slide tiles arrive one by one, the network sees chunks of 256."""

    def __init__(self, model, chunk=256):
        self.model = model
        self.chunk = chunk
        self.pending = []
        self.results = []

    def push(self, position, tile):
        self.pending.append((position, tile))
        if len(self.pending) == self.chunk:
            self.flush()

    def flush(self):
        if not self.pending:
            return
        positions, tiles = zip(*self.pending)
        scores = self.model.predict_on_batch(np.stack(tiles))
        self.results.extend(zip(positions, scores[:, 1]))
        self.pending.clear()


def tiles(path):
    ds = tf.data.TFRecordDataset(path)

    def parse(record):
        ex = tf.io.parse_single_example(record, {
            "xy": tf.io.FixedLenFeature([2], tf.int64),
            "png": tf.io.FixedLenFeature([], tf.string),
        })
        tile = tf.io.decode_png(ex["png"], channels=3)
        return ex["xy"], tf.cast(tile, tf.float32) / 255.0

    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(256)


def main():
    model = tf.keras.models.load_model("camelyon.h5")
    for slide in tf.io.gfile.glob("/data/camelyon/test/*.tfrecord"):
        predictor = TilePredictor(model)
        for xy, tile in tiles(slide).as_numpy_iterator():
            predictor.push(tuple(xy), tile)
        predictor.flush()
        np.save(slide + ".npy", np.array([s for _, s in predictor.results]))


if __name__ == "__main__":
    main()
