"""Convert CT volumes and train a small 3-D network."""
import concurrent.futures
import pathlib

import nibabel as nib
import numpy as np
import tensorflow as tf

SHAPE = (64, 64, 64)


class Converter:
    def __init__(self, out):
        self.out = pathlib.Path(out)
        self.out.mkdir(parents=True, exist_ok=True)

    def serialize(self, volume, nodule):
        feature = {
            "volume": tf.train.Feature(bytes_list=tf.train.BytesList(value=[volume.tobytes()])),
            "nodule": tf.train.Feature(float_list=tf.train.FloatList(value=[nodule])),
        }
        return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()

    def target_of(self, scan):
        return str(self.out / (scan.name.split(".")[0] + ".tfrecord"))

    def convert(self, scan):
        volume = nib.load(scan).get_fdata()[:64, :64, :64].astype(np.float32)
        nodule = float(scan.parent.name == "positive")
        writer = tf.io.TFRecordWriter(self.target_of(scan))
        writer.write(self.serialize(volume, nodule))
        writer.close()
        return scan.name

    def run(self, source):
        scans = sorted(pathlib.Path(source).rglob("*.nii.gz"))
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            names = list(pool.map(self.convert, scans))
        print(len(names), "volumes written")


def read(raw):
    ex = tf.io.parse_single_example(raw, {
        "volume": tf.io.FixedLenFeature([], tf.string),
        "nodule": tf.io.FixedLenFeature([], tf.float32),
    })
    vol = tf.reshape(tf.io.decode_raw(ex["volume"], tf.float32), (*SHAPE, 1))
    return tf.clip_by_value(vol / 1000.0, -1.0, 1.0), ex["nodule"]


def volumes(folder, batch=4):
    names = tf.io.gfile.glob(folder + "/*.tfrecord")
    ds = tf.data.Dataset.from_tensor_slices(names).shuffle(len(names))
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=8, deterministic=False)
    return ds.map(read, num_parallel_calls=tf.data.AUTOTUNE).batch(batch).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    Converter("/ct/records").run("/ct/raw")
    net = tf.keras.Sequential([
        tf.keras.layers.Conv3D(16, 3, strides=2, activation="relu"),
        tf.keras.layers.Conv3D(32, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling3D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    net.compile("adam", "binary_crossentropy")
    net.fit(volumes("/ct/records"), epochs=20)
