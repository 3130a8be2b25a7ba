import contextlib
import csv
import pathlib

import tensorflow as tf


class DefectModel:
    """Wraps the network and the EMA weights that are used for prediction."""

    def __init__(self, ckpt_dir):
        self.net = tf.keras.applications.DenseNet121(weights=None, classes=7, input_shape=(224, 224, 3))
        self.ckpt = tf.train.Checkpoint(net=self.net)
        self.ckpt_dir = ckpt_dir

    @contextlib.contextmanager
    def averaged_weights(self):
        path = tf.train.latest_checkpoint(self.ckpt_dir)
        self.ckpt.restore(path).expect_partial()
        yield self.net

    def predict_batch(self, images):
        with self.averaged_weights() as net:
            return net(images, training=False)


def board_images(folder, batch_size):
    paths = [str(p) for p in sorted(pathlib.Path(folder).glob("**/*.png"))]

    def read(path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, (224, 224))
        return path, tf.keras.applications.densenet.preprocess_input(image)

    ds = tf.data.Dataset.from_tensor_slices(paths)
    ds = ds.map(read, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    model = DefectModel("/models/pcb/ema")
    with open("defects.csv", "w", newline="") as f:
        out = csv.writer(f)
        for paths, images in board_images("/line3/2024-05", 64):
            probs = model.predict_batch(images).numpy()
            for path, row in zip(paths.numpy(), probs):
                out.writerow([path.decode(), int(row.argmax()), f"{row.max():.4f}"])


if __name__ == "__main__":
    main()
